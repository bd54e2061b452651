/**
 * Gemtext, line by line, in one pass over character codes.
 *
 * Rules of this file:
 * - At most three characters at its start decide what a line is. Lines end at CRLF, LF or CR; a final line break adds no
 *   empty line.
 * - Every line is delivered with its marker. White space at its end goes, except inside a preformatted block.
 * - A link line without a target, or with one that is no URL, is text: one bad link must not cost the page.
 * - Reading may begin anywhere. The rest of a line that was begun before is one line that is not classified; whether it
 *   stands in a block is known from the fences before it.
 *
 * @see https://geminiprotocol.net/docs/gemtext-specification.gmi
 */
import { isMisleading } from '../../common/net/misleading.js';
import { sanitizeField } from '../../common/text/sanitize.js';
import { resolveReference, schemeOf, type ReferenceBase } from './reference.js';
import { isSpace, skipSpace, trimmedEnd } from './white-space.js';

/** A link of a page. */
export type GemtextLink = {
  /** Absolute. */
  readonly url: string;
  readonly text: string | null;
  /** Present when none of our tools can fetch the URL. */
  readonly fetchable?: false;
  /** Present when the label names another host than the URL, or the URL hides its host behind a user name. */
  readonly misleading?: true;
};

/** A line of a page, as results show it. */
export type GemtextLine = {
  readonly type: 'text' | 'link' | 'heading1' | 'heading2' | 'heading3' | 'list' | 'quote' | 'preformat';
  /** The line with its marker. */
  readonly content: string;
  /** What stands behind the marker of a heading, list item or quote. */
  readonly text?: string;
  readonly level?: number;
  readonly link?: GemtextLink;
  /** What stands behind an opening fence. */
  readonly alt_text?: string;
  /** The programming language that the alt text names. */
  readonly language?: string;
  /** In outlines: where the line begins, in code points of the page. */
  readonly offset?: number;
};

/** Reads the lines of `text` from one index up to another. */
export class GemtextReader {
  #at: number;
  #inBlock: boolean;
  #midLine: boolean;
  /** The next line breaks at or behind `#at`; the length of the text when there are none. */
  #lf = -1;
  #cr = -1;

  /**
   * @param text sanitised
   * @param base what links are resolved against
   * @param from code-unit index, not inside a surrogate pair
   */
  constructor(
    private readonly text: string,
    private readonly base: ReferenceBase,
    from: number,
  ) {
    this.#at = from;
    this.#inBlock = isInBlock(text, from);
    this.#midLine = !isLineStart(text, from);
  }

  /** Index at which the next line begins. */
  get position(): number {
    return this.#at;
  }

  /** Whether the position is within a line. */
  get isMidLine(): boolean {
    return this.#midLine;
  }

  /** The next line; null at `end`, where a line must begin or the text end. */
  next(end: number): GemtextLine | null {
    const start = this.#at;
    if (start >= end) return null;
    const lineEnd = this.#nextBreak(start);
    this.#at = this.#behindBreak(lineEnd);
    if (this.#midLine) {
      this.#midLine = false;
      return this.#unclassified(start, this.#inBlock ? lineEnd : trimmedEnd(this.text, start, lineEnd));
    }
    if (this.text.startsWith(FENCE, start)) {
      this.#inBlock = !this.#inBlock;
      return this.#inBlock ? openingFence(this.text, start, lineEnd) : this.#preformat(start, lineEnd);
    }
    return this.#inBlock ? this.#preformat(start, lineEnd) : classify(this.text, start, lineEnd, this.base);
  }

  /**
   * What stands between the position and `end`, as one line that is not classified: a line too long for its window. When it
   * reaches the end of the line, the line break is passed over as well.
   */
  fragment(end: number): GemtextLine {
    const start = this.#at;
    const lineEnd = this.lineEnd();
    this.#at = end < lineEnd ? end : this.#behindBreak(lineEnd);
    this.#midLine = end < lineEnd;
    return this.#unclassified(start, Math.min(end, lineEnd));
  }

  /** Index at which the line at the position ends, before its line break. */
  lineEnd(): number {
    return this.#nextBreak(this.#at);
  }

  #behindBreak(lineEnd: number): number {
    const isCrlf = lineEnd === this.#cr && this.#lf === lineEnd + 1;
    return Math.min(this.text.length, lineEnd + (isCrlf ? 2 : 1));
  }

  #unclassified(start: number, end: number): GemtextLine {
    return { type: this.#inBlock ? 'preformat' : 'text', content: this.text.slice(start, end) };
  }

  #preformat(start: number, end: number): GemtextLine {
    return { type: 'preformat', content: this.text.slice(start, end) };
  }

  #nextBreak(from: number): number {
    if (this.#lf < from) this.#lf = indexOrEnd(this.text, '\n', from);
    if (this.#cr < from) this.#cr = indexOrEnd(this.text, '\r', from);
    return Math.min(this.#lf, this.#cr);
  }
}

/**
 * Where the lines that are whole in `text[from, to)` end: behind its last LF, else behind its last CR. Null when there is
 * neither, so that the first line is longer than the window.
 */
export function wholeLinesEnd(text: string, from: number, to: number): number | null {
  let behindCr: number | null = null;
  for (let i = to - 1; i >= from; i--) {
    const unit = text.charCodeAt(i);
    if (unit === LF) return i + 1;
    // A CR at the very end may have its LF just behind the window: both belong to this line.
    if (unit === CR) behindCr ??= text.charCodeAt(i + 1) === LF ? i + 2 : i + 1;
  }
  return behindCr;
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index === -1 ? text.length : index;
}

/**
 * Whether a preformatted block is open at `unit`: an odd number of lines that began before it are fences. Looks at nothing
 * but the fences.
 */
function isInBlock(text: string, unit: number): boolean {
  let open = false;
  for (let at = text.indexOf(FENCE); at !== -1 && at < unit; at = text.indexOf(FENCE, at + FENCE.length)) {
    if (at === 0 || isBreak(text.charCodeAt(at - 1))) open = !open;
  }
  return open;
}

function isLineStart(text: string, unit: number): boolean {
  if (unit === 0) return true;
  const before = text.charCodeAt(unit - 1);
  return before === LF || (before === CR && text.charCodeAt(unit) !== LF);
}

function openingFence(text: string, start: number, end: number): GemtextLine {
  const contentEnd = trimmedEnd(text, start, end);
  const content = text.slice(start, contentEnd);
  const alt = text.slice(skipSpace(text, start + FENCE.length, contentEnd), contentEnd);
  if (alt === '') return { type: 'preformat', content };
  // Longer alt texts name no language, and need not be lowercased to see that.
  const language = alt.length > MAX_LANGUAGE ? undefined : LANGUAGES.get(alt.toLowerCase());
  return language === undefined
    ? { type: 'preformat', content, alt_text: alt }
    : { type: 'preformat', content, alt_text: alt, language };
}

/** A line outside blocks that is no fence. */
function classify(text: string, start: number, end: number, base: ReferenceBase): GemtextLine {
  const contentEnd = trimmedEnd(text, start, end);
  switch (text.charCodeAt(start)) {
    case HASH:
      return heading(text, start, contentEnd);
    case EQUALS:
      if (text.charCodeAt(start + 1) === GREATER) return link(text, start, contentEnd, base);
      break;
    case ASTERISK:
      if (text.charCodeAt(start + 1) === SPACE) {
        const item = text.slice(skipSpace(text, start + 2, contentEnd), contentEnd);
        return { type: 'list', content: text.slice(start, contentEnd), text: item };
      }
      break;
    case GREATER: {
      const quoteAt = start + (text.charCodeAt(start + 1) === SPACE ? 2 : 1);
      return { type: 'quote', content: text.slice(start, contentEnd), text: text.slice(quoteAt, contentEnd) };
    }
  }
  return { type: 'text', content: text.slice(start, contentEnd) };
}

function heading(text: string, start: number, end: number): GemtextLine {
  const second = text.charCodeAt(start + 1) === HASH;
  const level = !second ? 1 : text.charCodeAt(start + 2) === HASH ? 3 : 2;
  const type = level === 1 ? 'heading1' : level === 2 ? 'heading2' : 'heading3';
  const words = text.slice(skipSpace(text, start + level, end), end);
  return { type, content: text.slice(start, end), text: words, level };
}

function link(text: string, start: number, end: number, base: ReferenceBase): GemtextLine {
  const content = text.slice(start, end);
  const targetAt = skipSpace(text, start + 2, end);
  let targetEnd = targetAt;
  while (targetEnd < end && !isSpace(text.charCodeAt(targetEnd))) targetEnd++;
  if (targetAt === targetEnd) return { type: 'text', content };
  const url = resolveReference(base, text.slice(targetAt, targetEnd));
  if (url === null) return { type: 'text', content };
  // A label is a field: what lines may hold and fields may not is a TAB.
  const label = targetEnd === end ? null : sanitizeField(text.slice(skipSpace(text, targetEnd, end), end));
  return { type: 'link', content, link: linkTo(url, label) };
}

function linkTo(url: string, text: string | null): GemtextLink {
  const fetchable = isFetchable(url);
  const misleading = isMisleading(text, url);
  if (fetchable && !misleading) return { url, text };
  return { url, text, ...(!fetchable && { fetchable: false }), ...(misleading && { misleading: true }) };
}

/** Whether one of our tools fetches URLs of this scheme. */
function isFetchable(url: string): boolean {
  // Both begin with a g; most links of a page are relative, and so gemini.
  if ((url.charCodeAt(0) | 0x20) !== 0x67) return false;
  const scheme = schemeOf(url);
  return scheme === 'gemini' || scheme === 'gopher';
}

function isBreak(unit: number): boolean {
  return unit === LF || unit === CR;
}

const FENCE = '```';
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const ASTERISK = 0x2a;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** Names by which alt texts call a language; the first of a row is the one that results use. */
const LANGUAGE_NAMES: readonly (readonly [string, ...string[]])[] = [
  ['python', 'py'],
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['rust', 'rs'],
  ['go', 'golang'],
  ['c'],
  ['cpp', 'c++'],
  ['java'],
  ['kotlin'],
  ['swift'],
  ['ruby', 'rb'],
  ['php'],
  ['html'],
  ['css'],
  ['sql'],
  ['bash', 'sh', 'shell'],
  ['json'],
  ['xml'],
  ['yaml', 'yml'],
  ['toml'],
  ['markdown', 'md'],
  ['text', 'txt'],
];

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  LANGUAGE_NAMES.flatMap((names) => names.map((name): [string, string] => [name, names[0]])),
);
const MAX_LANGUAGE = 16;
