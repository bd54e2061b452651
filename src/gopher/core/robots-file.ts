/** The answer to a robots probe. @see gopher convention: the 1994 robots.txt under the selector `/robots.txt` */
import { decodeText } from '../../common/text/charset.js';

/** Longest part of a policy file that is read; the bound of RFC 9309 section 2.5, in bytes. */
export const MAX_ROBOTS_BYTES = 512_000;

/**
 * The policy text, or null when the host has none: servers answer a missing file with an error line or a menu.
 *
 * @param cut whether the file goes on behind `body`; its last line is dropped then, as half a rule is another rule
 */
export function decodeRobots(body: Buffer, cut: boolean): string | null {
  const { text } = decodeText(body, null);
  if (isMenuLine(text)) return null;
  return cut ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text;
}

/** Whether the text begins with a line of four fields. */
function isMenuLine(text: string): boolean {
  const lineEnd = text.search(/[\r\n]/);
  const line = lineEnd === -1 ? text : text.slice(0, lineEnd);
  return line.split('\t', 4).length === 4;
}
