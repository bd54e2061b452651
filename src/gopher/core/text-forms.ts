/** Shorter forms of a text. They look at lines of prepared text, which end at LF. */
import { STRIDE, type Steps } from '../../common/steps.js';
import { countCodePoints } from '../../common/text/code-points.js';

/** The lines that hold a URL. */
export function* linkLines(text: string): Steps<string> {
  let found = '';
  let count = 0;
  let mark = text.indexOf('://');
  while (mark !== -1) {
    if (++count % STRIDE === 0) yield;
    const end = lineEnd(text, mark);
    const line = text.slice(text.lastIndexOf('\n', mark) + 1, end);
    found += `${line.trim()}\n`;
    mark = text.indexOf('://', end);
  }
  return found;
}

/**
 * The headings, each behind its offset in the whole text (code points), so that a reader can go on from there:
 * the first line, lines marked with `#`, lines that are underlined, and lines in capitals behind a blank line.
 */
export function* textOutline(text: string): Steps<string> {
  let found = '';
  let offset = 0;
  let count = 0;
  let previous = '';
  for (let start = 0; start < text.length;) {
    if (++count % STRIDE === 0) yield;
    const end = lineEnd(text, start);
    // A heading is short; a longer line is looked at only as far as it takes to see that.
    const line = end - start > MAX_HEADING ? null : text.slice(start, end).trim();
    if (line !== null && isHeading(line, found === '', previous === '', text, end + 1)) found += `${offset}: ${line}\n`;
    offset += countCodePoints(text.slice(start, end + 1));
    previous = line ?? LONG_LINE;
    start = end + 1;
  }
  return found;
}

function isHeading(line: string, isFirst: boolean, afterBlank: boolean, text: string, nextStart: number): boolean {
  if (!WORDS.test(line)) return false;
  return isFirst || MARKED.test(line) || (afterBlank && isCapitals(line)) || isUnderline(text, nextStart);
}

function isCapitals(line: string): boolean {
  return line === line.toUpperCase() && line !== line.toLowerCase() && line.length > 3;
}

/** Whether the line that begins at `start` is at least three times the same mark. */
function isUnderline(text: string, start: number): boolean {
  const end = lineEnd(text, start);
  if (end - start > MAX_HEADING) return false;
  const line = text.slice(start, end).trim();
  return line.length >= 3 && UNDERLINES.includes(line.charAt(0)) && line === line.charAt(0).repeat(line.length);
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}

/** Longest heading, in code units. */
const MAX_HEADING = 120;
const LONG_LINE = '…';
const WORDS = /[\p{L}\p{N}]/u;
const MARKED = /^#{1,6} /;
const UNDERLINES = '=-~*^"';
