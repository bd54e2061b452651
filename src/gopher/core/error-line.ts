/**
 * Tells an error that a server sends in place of a file from a file that looks like one.
 *
 * Gopher has no status: a server that cannot serve a file answers with a menu of one line of type 3. A file of its own
 * may consist of one line that begins with 3 and has tabs, so the line must also have a port field, and something that
 * a file would not have: the lone dot behind it, an empty selector, or the port 0 or 1 that stands for no place at all.
 *
 * @see RFC 1436 section 3.8, type 3
 */
import { finalLoneDot } from './text.js';

/** Longer answers are files. */
export const MAX_ERROR_BYTES = 4096;

/** The server's words when `text` is a lone error line; null when it is anything else. */
export function loneErrorLine(text: string): string | null {
  if (!text.startsWith('3') || text.length > MAX_ERROR_BYTES) return null;
  const dot = finalLoneDot(text);
  const line = withoutLineEnds(dot === -1 ? text : text.slice(0, dot));
  if (line.includes('\n') || line.includes('\r')) return null;
  const [head = '', selector = '', , port] = line.split('\t');
  if (port === undefined || !isPort(port.trim())) return null;
  const words = head.slice(1).trim();
  const fillers = dot !== -1 || selector === '' || Number(port) <= 1;
  return words !== '' && fillers ? words : null;
}

/** Tabs stay: the fields between them may be empty. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\0'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Whether the text is a number of a few digits, or empty. */
function isPort(text: string): boolean {
  if (text.length > 5) return false;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}
