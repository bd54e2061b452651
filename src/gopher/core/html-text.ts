/**
 * The readable part of an HTML page: what a text browser without layout would show.
 *
 * One pass from tag to tag; no tree is built, nothing is executed or fetched. Scripts, styles and comments go, tags that
 * begin a block become a line end, a link shows its target behind its words, the usual character references are
 * resolved. Whatever looks for the end of something and does not find it takes the rest, so the work stays linear.
 */
import { STRIDE, type Steps } from '../../common/steps.js';
import { sanitizeText } from '../../common/text/sanitize.js';

/** Turns an HTML page into text with LF line ends and no invisible characters. */
export function* htmlText(html: string): Steps<string> {
  const parts: string[] = [];
  let count = 0;
  let target = '';
  let at = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    if (++count % STRIDE === 0) yield;
    if (open > at) yield* resolveRun(html.slice(at, open), parts);
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + '<!--'.length);
      continue;
    }
    const name = tagName(html, open);
    if (name === '') {
      parts.push('<');
      at = open + 1;
      continue;
    }
    at = after(html, '>', open);
    if (HIDDEN.has(name)) at = afterElement(html, name, at);
    else if (name === 'a') target = hrefOf(html.slice(open, Math.min(at, open + MAX_TAG)));
    else if (BLOCKS.has(name)) parts.push('\n');
    else if (name === '/a' && target !== '') {
      parts.push(` <${target}>`);
      target = '';
    }
  }
  yield* resolveRun(html.slice(at), parts);
  yield;
  const text = yield* withoutBlankRuns(parts.join(''));
  yield;
  return sanitizeText(text);
}

/** Index behind the next `mark`; the end of the page when there is none. */
function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/** Index behind the closing tag of a hidden element; the end of the page when it is never closed. */
function afterElement(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (tagName(html, at) === `/${name}`) return after(html, '>', at);
  }
  return html.length;
}

/** Lower-case name of the tag at `open`, with its slash if it closes; empty when no tag begins there. */
function tagName(html: string, open: number): string {
  return TAG_NAME.exec(html.slice(open + 1, open + 1 + MAX_TAG_NAME))?.[0].toLowerCase() ?? '';
}

function hrefOf(tag: string): string {
  const match = HREF.exec(tag);
  return resolved(match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
}

/** Appends a run of text with its references resolved, a part at a time; no part ends within a reference. */
function* resolveRun(text: string, parts: string[]): Steps<void> {
  for (let start = 0; start < text.length;) {
    let end = start + MAX_PART;
    const reference = end < text.length ? text.lastIndexOf('&', end) : -1;
    if (reference > end - MAX_REFERENCE) end = reference;
    parts.push(resolved(text.slice(start, end)));
    start = end;
    yield;
  }
}

function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED.get(name.toLowerCase()) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** At most one blank line in a row, no blanks at line ends. */
function* withoutBlankRuns(text: string): Steps<string> {
  const kept: string[] = [];
  let count = 0;
  for (const line of text.split('\n')) {
    if (++count % STRIDE === 0) yield;
    const trimmed = line.trimEnd();
    if (trimmed !== '' || (kept.length > 0 && kept.at(-1) !== '')) kept.push(trimmed);
  }
  return kept.join('\n');
}

/** Longest tag in which a link target is looked for, and longest tag name, in code units. */
const MAX_TAG = 4096;
const MAX_TAG_NAME = 12;
/** Code units of a run of text that are looked at in one step, and of the longest reference. */
const MAX_PART = 1 << 14;
const MAX_REFERENCE = 12;
const TAG_NAME = /^[/!?]?[a-z][a-z0-9]*/i;
const HREF = /\shref\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;
const REFERENCE = /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi;
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style']);
const BLOCKS: ReadonlySet<string> = new Set(
  'address article blockquote br center dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td title th tr ul'
    .split(' ')
    .flatMap((name) => [name, `/${name}`]),
);
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['mdash', '\u2014'],
  ['ndash', '\u2013'],
  ['hellip', '\u2026'],
  ['copy', '\u00a9'],
]);
