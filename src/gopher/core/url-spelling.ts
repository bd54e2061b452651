/** Writes gopher URLs: one spelling per request. @see https://www.rfc-editor.org/rfc/rfc4266#section-2.1 */
import { bracketed } from '../../common/net/host.js';
import { percentEncode } from '../../common/text/percent.js';
import { SCHEME } from './url-parts.js';

/** The port of a URL that names none. */
export const DEFAULT_PORT = 70;

/** The canonical spelling of a request; parsing it gives the same request again. */
export function canonicalUrl(
  host: string,
  port: number,
  type: string,
  selector: Uint8Array,
  search: Uint8Array | null,
): string {
  const authority = port === DEFAULT_PORT ? bracketed(host) : `${bracketed(host)}:${port}`;
  const terms = search === null ? '' : `?${percentEncode(search, isUnreserved)}`;
  return `${SCHEME}${authority}/${encodeType(type)}${encodeSelector(selector)}${terms}`;
}

/** An item type as it stands in a URL: anything that is not unreserved or `+` is escaped, as UTF-8. */
export function encodeType(type: string): string {
  const unit = type.charCodeAt(0);
  if (type.length === 1 && (isUnreserved(unit) || unit === PLUS)) return type;
  return percentEncode(Buffer.from(type), isUnreserved);
}

/** A selector as it stands in a URL; slashes stay. */
export function encodeSelector(selector: Uint8Array): string {
  return percentEncode(selector, isSelectorPlain);
}

/** RFC 3986 section 2.3: letters, digits, `-`, `.`, `_`, `~`. */
export function isUnreserved(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x2d && byte <= 0x39 && byte !== SLASH) ||
    byte === 0x5f ||
    byte === 0x7e
  );
}

/** Whether a byte needs no escape in a selector. */
export function isSelectorPlain(byte: number): boolean {
  return byte === SLASH || isUnreserved(byte);
}

const SLASH = 0x2f;
const PLUS = 0x2b;
