/**
 * Menu items out of menu lines, as generously as good clients read them.
 *
 *   type title TAB selector TAB host TAB port [TAB anything]
 *
 * Rules of this file:
 * - Every line that holds something gives exactly one item, so offsets and totals count lines.
 * - A line without any TAB is text: an item of type `i`. If it begins with `i` that letter is the type, unless the whole
 *   answer is prose.
 * - Missing fields are filled in: no host means the server that sent the menu (and its port, if that is missing too),
 *   no port or a bad one means 70. Lines of type `i` and `3` lead nowhere, so theirs stay as they are.
 * - Blanks of a title are layout and stay.
 * - Only the lines of the window become items; those before it are merely counted.
 */
import { isMisleading } from '../../common/net/misleading.js';
import { sanitizeField } from '../../common/text/sanitize.js';
import { MenuLines } from './menu-lines.js';
import { MenuLinks } from './menu-link.js';
import { DEFAULT_PORT } from './url-spelling.js';

/** A menu as it arrived. */
export interface MenuSource {
  /** Decoded; or one character per byte when `bytewise`, which keeps the bytes of selectors in a damaged UTF-8 menu. */
  readonly text: string;
  readonly charset: string;
  /** Whether some bytes had no meaning in the charset. */
  readonly lossy: boolean;
  readonly bytewise: boolean;
  /** Whether the answer is no menu but plain lines. */
  readonly prose: boolean;
}

/** The server that sent a menu. */
export interface MenuOrigin {
  readonly host: string;
  readonly port: number;
}

/** One menu item, with the member names and the order of the result (a type alias, so that it is a JSON object). */
export type MenuItem = {
  /** One character. */
  readonly type: string;
  readonly title: string;
  readonly selector: string;
  readonly host: string;
  /** 0..65535; 0 for lines that lead nowhere. */
  readonly port: number;
  /** Empty when there is nothing to follow. */
  readonly next_url: string;
  /** Present when the title names another host than the URL, or the URL hides its host behind a user name. */
  readonly misleading?: true;
};

/** Reads the items of one menu in order. */
export class MenuItems {
  readonly #lines: MenuLines;
  readonly #links: MenuLinks;

  constructor(
    private readonly source: MenuSource,
    private readonly origin: MenuOrigin,
  ) {
    this.#lines = new MenuLines(source.text);
    this.#links = new MenuLinks(source.bytewise ? 'bytes' : { charset: source.charset });
  }

  /** Passes over one item; false at the end. */
  skip(): boolean {
    return this.#lines.next();
  }

  /** The next item; null at the end. */
  next(): MenuItem | null {
    const lines = this.#lines;
    if (!lines.next()) return null;
    const { start, end } = lines;
    const headEnd = lines.tabAfter(start);
    if (headEnd === end) return this.#textLine(start, end);
    const selectorEnd = lines.tabAfter(headEnd + 1);
    const hostEnd = lines.tabAfter(selectorEnd + 1);
    const portEnd = lines.tabAfter(hostEnd + 1);

    const head = this.#shown(start, headEnd);
    const first = head === '' ? '' : String.fromCodePoint(head.codePointAt(0) ?? 0);
    const type = isType(first) ? first : 'i';
    const title = sanitizeField(head.slice(first.length));
    const leadsNowhere = type === 'i' || type === '3';
    if (leadsNowhere && hostEnd === end) return textItem(type, title);

    const selector = sanitizeField(this.#shown(headEnd + 1, selectorEnd));
    const portField = this.#shown(hostEnd + 1, portEnd).trim();
    let host = sanitizeField(this.#shown(selectorEnd + 1, hostEnd));
    let port = parsePort(portField);
    if (host === '' && !leadsNowhere) {
      host = this.origin.host;
      if (portField === '') port = this.origin.port;
    }
    const rawSelector = this.#raw(headEnd + 1, selectorEnd);
    const next_url = this.#links.linkOf({ type, rawSelector, selector, host, port });
    const item = { type, title, selector, host, port, next_url };
    return next_url !== '' && isMisleading(title, next_url) ? { ...item, misleading: true } : item;
  }

  /** A line without fields. */
  #textLine(start: number, end: number): MenuItem {
    const typed = !this.source.prose && this.source.text.charCodeAt(start) === INFO;
    return textItem('i', sanitizeField(this.#shown(typed ? start + 1 : start, end)));
  }

  /** A part of the source as text. */
  #shown(start: number, end: number): string {
    const field = this.#raw(start, end);
    return this.source.bytewise ? Buffer.from(field, 'latin1').toString() : field;
  }

  #raw(start: number, end: number): string {
    return start < end ? this.source.text.slice(start, end) : '';
  }
}

/**
 * Whether an answer to a menu request is prose: no line has fields, and they do not all begin with the `i` of a menu
 * whose author left the fields out.
 */
export function isProse(text: string): boolean {
  if (text.includes('\t')) return false;
  const lines = new MenuLines(text);
  while (lines.next()) if (text.charCodeAt(lines.start) !== INFO) return true;
  return false;
}

const INFO = 0x69;

function textItem(type: string, title: string): MenuItem {
  return { type, title, selector: '', host: '', port: 0, next_url: '' };
}

/** Whether a character can be an item type: neither nothing, nor a character that is not shown, nor the trace of a damaged one. */
function isType(character: string): boolean {
  const unit = character.charCodeAt(0);
  return (unit > 0x20 && unit < 0x7f) || (character !== '\ufffd' && sanitizeField(character) !== '');
}

/** A port field without its blanks: ASCII digits up to 65535 (0 included), else 70. */
function parsePort(digits: string): number {
  if (digits === '') return DEFAULT_PORT;
  let port = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return DEFAULT_PORT;
    port = port * 10 + digit;
    if (port > 65535) return DEFAULT_PORT;
  }
  return port;
}
