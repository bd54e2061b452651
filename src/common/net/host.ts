/**
 * One spelling per host.
 *
 * The value made here serves the allow-list, address check, pin key, identity scope, robots key, pacing key, cache key,
 * SNI and request line: a host that could be spelt in two ways would have two allowances.
 *
 * - A name that is not ASCII becomes its A-label by UTS 46, non-transitional: the sharp s stays a letter of its own, as
 *   in IDNA 2008 and browsers. Full-width letters and ideographic dots fold to ASCII before anything is judged.
 * - A name is letters, digits, hyphens and underscores in labels of at most 63 characters, 253 in all. The odd spellings
 *   of IPv4 (`127.1`, `0x7f000001`) are such names: the resolver expands them, and the address is checked after that.
 * - IPv6 is written as RFC 5952 says, without brackets. A zone id is dropped: it names an interface of this machine, and
 *   what it applies to is link-local.
 *
 * @see https://www.unicode.org/reports/tr46/
 */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { formatIp, parseIp } from './ip.js';

/**
 * The one spelling of `host`: trimmed, without brackets, lower case, one trailing dot off. Null when it cannot be a host:
 * an empty or over-long label, any other character (blank, `%`, `@`, `/` ...), or an IDNA failure. Idempotent.
 */
export function normalizeHost(host: string): string | null {
  const name = withoutTrailingDot(withoutBrackets(host.trim()));
  if (name.length > MAX_RAW_UNITS) return null;
  if (name.includes(':')) return normalizeIpv6(name);
  if (ASCII_NAME.test(name)) return validName(name.toLowerCase());
  // The runtime's conversion stops at a delimiter, so ASCII that no name has must not reach it.
  return MAYBE_NAME.test(name) ? validName(withoutTrailingDot(domainToASCII(name))) : null;
}

/** `host` (normalised) as a URL writes it: IPv6 in brackets, anything else as it is. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The family of an address literal without brackets, 0 for a name. */
export function isIpLiteral(host: string): 0 | 4 | 6 {
  const family = isIP(host);
  return family === 4 || family === 6 ? family : 0;
}

/** No name that folds to 253 characters is longer; it bounds the work of the conversion. */
const MAX_RAW_UNITS = 1024;

const MAX_NAME_UNITS = 253;

const ASCII_NAME = /^[A-Za-z0-9._-]*$/;
const MAYBE_NAME = /^[A-Za-z0-9._\u0080-\uffff-]*$/;
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** RFC 6874: `%25` and the interface; the bare `%` of RFC 4007 is in use as well. */
const ZONE_ID = /%(?:25)?[A-Za-z0-9._~-]+$/;

function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function withoutTrailingDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function normalizeIpv6(text: string): string | null {
  const address = text.replace(ZONE_ID, '');
  const parsed = address.includes('%') ? null : parseIp(address);
  return parsed === null ? null : formatIp(parsed);
}

function validName(name: string): string | null {
  return name.length <= MAX_NAME_UNITS && name.split('.').every((label) => LABEL.test(label)) ? name : null;
}
