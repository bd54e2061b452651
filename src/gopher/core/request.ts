/** What goes over the wire: one line. @see RFC 1436 section 2; Gopher+ fields are never sent. */
import type { GopherRequest } from './url.js';

const TAB = Buffer.from('\t');
const CRLF = Buffer.from('\r\n');

/** Asks for the robots policy of a host. */
export const ROBOTS_REQUEST = Buffer.from('/robots.txt\r\n');

/**
 * The request line: selector, for type 7 with a search TAB and the terms, CRLF. The parser refused every control byte,
 * so the line cannot be continued by what it carries.
 */
export function encodeRequest({ type, selector, search }: GopherRequest): Buffer {
  const parts = type === '7' && search !== null ? [selector, TAB, search, CRLF] : [selector, CRLF];
  return Buffer.concat(parts);
}
