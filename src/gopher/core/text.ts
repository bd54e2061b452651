/**
 * A decoded text answer as people read it, in this order: undo the framing, sanitise, line ends to LF.
 *
 * Framing (RFC 1436 section 3, text files): the last line is a lone dot, and lines that begin with a dot carry one more.
 * Many servers send files bare, so without that last line there is nothing to undo, and a lone dot elsewhere is text.
 * Blank lines and NULs behind the last dot do not count.
 */
import { withLineFeeds } from '../../common/text/line-ends.js';
import { sanitizeText } from '../../common/text/sanitize.js';

/** The text without framing and invisible characters, with LF line ends. A final line end stays. */
export function readableText(decoded: string): string {
  return withLineFeeds(sanitizeText(unframe(decoded)));
}

/** Undoes the framing, if there is any. Lines are cut at LF alone here, as dots were added by line-oriented servers. */
function unframe(text: string): string {
  const dot = finalLoneDot(text);
  if (dot === -1) return text;
  const framed = text.slice(0, dot).replaceAll('\n..', '\n.');
  return framed.startsWith('..') ? framed.slice(1) : framed;
}

/** Position of a lone dot that is the last line, blank lines and NULs behind it not counted; -1 without one. */
export function finalLoneDot(text: string): number {
  let last = text.length - 1;
  while (last >= 0 && text.charCodeAt(last) <= SPACE) last--;
  const alone = text.charCodeAt(last) === DOT && (last === 0 || text.charCodeAt(last - 1) === LF);
  return alone ? last : -1;
}

const LF = 0x0a;
const SPACE = 0x20;
const DOT = 0x2e;
