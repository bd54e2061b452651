/**
 * Windows of documents: the constant members of a result, and where the next window begins.
 *
 * Rules of this file:
 * - A window is bounded by items (menus) or code points (text), and by the bytes of its compact JSON. An operator who
 *   took the first bound off (0) wants it all: the second one then does not apply either.
 * - A window always moves on by at least one item or code point, whatever the bounds say.
 * - An offset behind the end gives an empty window that is not truncated.
 * - The total of a menu is known only when its end was reached, the total of a text always.
 * - Members stand in the order in which results list them.
 * - Whatever goes over all of a body does so in steps.
 */
import { jsonStringBytes, jsonStringFit, type JsonObject } from '../../common/json.js';
import { STRIDE, type Steps } from '../../common/steps.js';
import { advanceCodePoints, countCodePoints } from '../../common/text/code-points.js';
import type { BinaryDocument, GopherDocument, MenuDocument, TextDocument } from './document.js';
import { htmlText } from './html-text.js';
import { isFetchable, menuAsText, menuOutline } from './menu-forms.js';
import { MenuItems, type MenuItem, type MenuOrigin } from './menu.js';
import { linkLines, textOutline } from './text-forms.js';

/** Where a window starts, what bounds it, and in which form it is wanted; 0 = no bound. */
export interface Window {
  /** Items of a menu, code points of a text. */
  readonly offset: number;
  readonly maxItems: number;
  readonly maxChars: number;
  readonly maxBytes: number;
  readonly format: 'full' | 'text' | 'links' | 'outline';
}

/** The request a document answers, as far as rendering depends on it. */
export interface RenderedRequest extends MenuOrigin {
  readonly type: string;
}

/** A window, kind first. */
export interface Rendered {
  readonly members: JsonObject & { readonly kind: 'menu' | 'text' | 'binary' };
  /** In the unit of the offset; null when the window reaches the end. */
  readonly nextOffset: number | null;
}

/**
 * Renders one window. The shorter forms are texts (`text`, `outline`) or menus of fetchable items (`links` of a menu);
 * their offsets count what they themselves consist of. Binary documents have one form and no offsets.
 */
export function* renderWindow(document: GopherDocument, request: RenderedRequest, window: Window): Steps<Rendered> {
  switch (document.kind) {
    case 'binary':
      return renderBinary(document);
    case 'menu':
      return yield* renderMenu(document, request, window);
    case 'text':
      return renderText(yield* textForm(document, request.type, window.format), window);
  }
}

function renderBinary({ bytes, mimeType, unexpected }: BinaryDocument): Rendered {
  const note = unexpected
    ? 'The item was announced as readable, but it is a binary file. Binary content is not returned, only its size and media type.'
    : 'Binary content is not returned, only its size and media type.';
  return { members: { kind: 'binary', bytes, mime_type: mimeType, note }, nextOffset: null };
}

function* renderMenu(document: MenuDocument, origin: MenuOrigin, window: Window): Steps<Rendered> {
  const { source, bytes } = document;
  switch (window.format) {
    case 'full':
      return yield* menuWindow(new MenuItems(source, origin), window, null);
    case 'links':
      return yield* menuWindow(new MenuItems(source, origin), window, isFetchable);
    case 'text':
    case 'outline': {
      const text = yield* window.format === 'text' ? menuAsText(source, origin) : menuOutline(source, origin);
      yield;
      const { charset, lossy } = source;
      return renderText({ bytes, charset, lossy, text, totalChars: countCodePoints(text) }, window);
    }
  }
}

/** @param accept which items count; null = all, so that those before the window need not be read */
function* menuWindow(all: MenuItems, window: Window, accept: ((item: MenuItem) => boolean) | null): Steps<Rendered> {
  const { offset } = window;
  const maxItems = window.maxItems === 0 ? Infinity : window.maxItems;
  let room = window.maxItems === 0 || window.maxBytes === 0 ? Infinity : window.maxBytes - MENU_FRAME_BYTES;

  let skipped = 0;
  for (let count = 1; accept === null && skipped < offset && all.skip(); count++) {
    skipped++;
    if (count % STRIDE === 0) yield;
  }
  const items: MenuItem[] = [];
  let truncated = false;
  let count = 0;
  for (let item = all.next(); item !== null; item = all.next()) {
    if (++count % STRIDE === 0) yield;
    if (accept?.(item) === false) continue;
    if (skipped < offset) {
      skipped++;
      continue;
    }
    if (room !== Infinity) room -= itemBytes(item);
    if (items.length > 0 && (items.length === maxItems || room < 0)) {
      truncated = true;
      break;
    }
    items.push(item);
  }
  const end = skipped + items.length;
  const nextOffset = truncated ? end : null;
  return {
    members: { kind: 'menu', items, truncated, total_items: truncated ? null : end, next_offset: nextOffset },
    nextOffset,
  };
}

/** Bytes of an item in the list, its comma included. */
function itemBytes({ type, title, selector, host, port, next_url: url, misleading }: MenuItem): number {
  return (
    ITEM_FRAME_BYTES +
    (misleading ? MISLEADING_BYTES : 0) +
    jsonStringBytes(type) +
    jsonStringBytes(title) +
    jsonStringBytes(selector) +
    jsonStringBytes(host) +
    String(port).length +
    jsonStringBytes(url)
  );
}

/** A text and what results say about it. */
type ReadableText = Pick<TextDocument, 'bytes' | 'charset' | 'lossy' | 'text' | 'totalChars'>;

/** The text in the form asked for. HTML pages are the only ones whose plain text differs from what they are. */
function* textForm(document: TextDocument, type: string, format: Window['format']): Steps<ReadableText> {
  const { text } = document;
  switch (format) {
    case 'full':
      return document;
    case 'text':
      return type === 'h' ? withText(document, yield* htmlText(text)) : document;
    case 'links':
      return withText(document, yield* linkLines(text));
    case 'outline':
      return withText(document, yield* textOutline(text));
  }
}

function withText(document: TextDocument, text: string): ReadableText {
  return { ...document, text, totalChars: countCodePoints(text) };
}

function renderText({ bytes, charset, lossy, text, totalChars }: ReadableText, window: Window): Rendered {
  const { offset, maxChars } = window;
  const start = unitAt(text, totalChars, 0, offset);
  let end = maxChars === 0 ? text.length : unitAt(text, totalChars, start, maxChars);
  if (maxChars > 0 && window.maxBytes > 0) {
    // The last window and one before it differ in how they are closed; either may be the longer.
    const frame = Math.max(
      jsonBytes(textMembers(bytes, charset, '', false, totalChars, null, lossy)),
      jsonBytes(textMembers(bytes, charset, '', true, totalChars, totalChars, lossy)),
    );
    const fitting = jsonStringFit(text, start, end, window.maxBytes - frame);
    end = Math.max(fitting, Math.min(end, advanceCodePoints(text, start, 1)));
  }
  const truncated = end < text.length;
  const shown = text.slice(start, end);
  const nextOffset = truncated ? offset + countCodePoints(shown) : null;
  return { members: textMembers(bytes, charset, shown, truncated, totalChars, nextOffset, lossy), nextOffset };
}

function textMembers(
  bytes: number,
  charset: string,
  text: string,
  truncated: boolean,
  totalChars: number,
  nextOffset: number | null,
  lossy: boolean,
): Rendered['members'] {
  return { kind: 'text', charset, bytes, text, truncated, total_chars: totalChars, next_offset: nextOffset, lossy };
}

/** The code unit `codePoints` behind `from`; found at once in a text without surrogate pairs. */
function unitAt(text: string, totalChars: number, from: number, codePoints: number): number {
  if (totalChars === text.length) return Math.min(from + codePoints, text.length);
  return advanceCodePoints(text, from, codePoints);
}

function jsonBytes(members: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(members));
}

/** The members of a menu result around its items, with the longest numbers that can stand there. */
const MENU_FRAME_BYTES = jsonBytes({
  kind: 'menu',
  items: [],
  truncated: false,
  total_items: Number.MAX_SAFE_INTEGER,
  next_offset: Number.MAX_SAFE_INTEGER,
});
/** Names, punctuation and the comma behind an item: everything that is not a value. */
const ITEM_FRAME_BYTES = jsonBytes({ type: 0, title: 0, selector: 0, host: 0, port: 0, next_url: 0 }) - 6 + 1;
const MISLEADING_BYTES = ',"misleading":true'.length;
