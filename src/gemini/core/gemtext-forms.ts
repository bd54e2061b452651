/**
 * The forms in which gemtext is given: the whole structure, or one of the shorter ones that cost a model fewer tokens.
 *
 * - `full`: every line with its parts, and all links once more in a list.
 * - `text`: the page as plain text, links numbered and listed below.
 * - `links`: the list of links alone.
 * - `outline`: headings, each with its offset so that reading can go on from there, and the number of links.
 */
import { jsonStringBytes, type JsonObject } from '../../common/json.js';
import type { ReadableDocument } from './document.js';
import type { GemtextLine, GemtextLink } from './gemtext.js';

/** The state of a window, as its members show it. */
export interface WindowState {
  /** In code points; null at the end of the page. */
  readonly nextOffset: number | null;
  /** Whether the window ends within a line. */
  readonly partialLine: boolean;
  /** Links on all lines that the window went through, shown or not. */
  readonly linkCount: number;
}

/** How lines become members. */
export interface GemtextForm {
  /** Whether lines are left out, so that a window reaches as far as what it shows allows. */
  readonly leavesOut: boolean;
  /** The line as it is shown; null when it is left out. `offset` gives the code points before it. */
  pick(line: GemtextLine, offset: () => number): GemtextLine | null;
  /** Bytes that a picked line adds to the compact members, at most. */
  bytes(line: GemtextLine): number;
  /** Members of the payload, `kind` first. */
  members(document: ReadableDocument, lines: readonly GemtextLine[], state: WindowState): Members;
}

type Members = JsonObject & { readonly kind: string };

/** The form of each name. */
export const GEMTEXT_FORMS: Readonly<Record<'full' | 'text' | 'links' | 'outline', GemtextForm>> = {
  full: {
    leavesOut: false,
    pick: (line) => line,
    bytes: (line) => jsonBytes(line) + (line.link ? jsonBytes(line.link) : 0),
    members: (document, lines, state) => gemtextMembers(document, { lines, links: linksOf(lines) }, state),
  },
  text: {
    leavesOut: false,
    pick: (line) => line,
    bytes: ({ content, link }) =>
      link ? jsonStringBytes(labelOf(link)) + jsonStringBytes(link.url) + NUMBERING_BYTES : jsonStringBytes(content),
    members: plainTextMembers,
  },
  links: {
    leavesOut: true,
    pick: (line) => (line.link ? line : null),
    bytes: ({ link }) => (link ? jsonBytes(link) : 0),
    members: (document, lines, state) => gemtextMembers(document, { lines: [], links: linksOf(lines) }, state),
  },
  outline: {
    leavesOut: true,
    pick: (line, offset) => (line.level === undefined ? null : { ...line, offset: offset() }),
    bytes: jsonBytes,
    members: (document, lines, state) => ({
      ...gemtextMembers(document, { lines, links: [] }, state),
      link_count: state.linkCount,
    }),
  },
};

/**
 * An upper bound of what a line adds to the compact members in any form, without looking at its characters: sanitised text
 * takes at most three bytes a code unit.
 */
export function bytesAtMost({ content, text, link, alt_text: alt }: GemtextLine): number {
  const linkUnits = link ? link.url.length + (link.text?.length ?? 0) : 0;
  return LINE_BYTES + 3 * (content.length + (text?.length ?? 0) + (alt?.length ?? 0) + 2 * linkUnits);
}

function gemtextMembers(
  { mime, size, totalChars, lossy }: ReadableDocument,
  page: { readonly lines: readonly GemtextLine[]; readonly links: readonly GemtextLink[] },
  { nextOffset, partialLine }: WindowState,
): Members {
  return {
    kind: 'gemtext',
    document: page,
    charset: mime.charset,
    lang: mime.lang,
    size,
    truncated: nextOffset !== null,
    partial_line: partialLine,
    total_chars: totalChars,
    next_offset: nextOffset,
    lossy,
  };
}

function plainTextMembers(
  { mime, size, totalChars, lossy }: ReadableDocument,
  lines: readonly GemtextLine[],
  { nextOffset, partialLine }: WindowState,
): Members {
  return {
    kind: 'success',
    mime_type: { ...mime, subtype: 'plain' },
    content: plainText(lines, partialLine),
    size,
    truncated: nextOffset !== null,
    total_chars: totalChars,
    next_offset: nextOffset,
    lossy,
  };
}

function plainText(lines: readonly GemtextLine[], partialLine: boolean): string {
  const links = linksOf(lines);
  let number = 0;
  const shown = lines.map(({ content, link }) => (link ? `[${++number}] ${labelOf(link)}` : content));
  const text = shown.join('\n') + (partialLine || shown.length === 0 ? '' : '\n');
  return links.length === 0 ? text : `${text}\n${links.map(({ url }, i) => `[${i + 1}] ${url}\n`).join('')}`;
}

function linksOf(lines: readonly GemtextLine[]): GemtextLink[] {
  const links: GemtextLink[] = [];
  for (const { link } of lines) if (link) links.push(link);
  return links;
}

function labelOf({ url, text }: GemtextLink): string {
  return text ?? url;
}

/** With the comma that follows. */
function jsonBytes(value: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** What stands around the texts of a line, and of its link once more in the list of links. */
const LINE_BYTES = Buffer.byteLength(
  '{"type":"preformat","content":"","text":"","level":3,"alt_text":"","language":"javascript","offset":104857600},' +
    '{"url":"","text":null,"fetchable":false,"misleading":true},' +
    '"link":{"url":"","text":null,"fetchable":false,"misleading":true},',
);
/** Two numbers in brackets, their blanks and line breaks. */
const NUMBERING_BYTES = 32;
