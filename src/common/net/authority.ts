/**
 * The authority part of a URL, taken apart (RFC 3986 section 3.2): `[ userinfo "@" ] host [ ":" port ]`.
 *
 * Only the shape is judged here. Whether the host can be a host is {@link normalizeHost}'s question, so an empty host is
 * returned as such.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2
 */

/** The parts of an authority. */
export interface Authority {
  /** What stood before the last `@`, undecoded; empty for a bare `@`, null without one. Never echo it. */
  readonly userinfo: string | null;
  /** As written, without the brackets of an IPv6 literal; may be empty. */
  readonly host: string;
  /** 1..65535, null when absent or empty (RFC 3986 section 3.2.3: an empty port is no port). */
  readonly port: number | null;
}

/**
 * Splits an authority. Null when malformed: an unclosed bracket, text between the bracket and the port, brackets
 * around something that has no colon, a second colon outside brackets, or a port that is not ASCII digits in 1..65535
 * (leading zeros are fine).
 */
export function parseAuthority(text: string): Authority | null {
  const at = text.lastIndexOf('@');
  const userinfo = at === -1 ? null : text.slice(0, at);
  const hostPort = text.slice(at + 1);

  let host: string;
  let rest: string;
  if (hostPort.startsWith('[')) {
    const close = hostPort.indexOf(']');
    if (close === -1) return null;
    host = hostPort.slice(1, close);
    rest = hostPort.slice(close + 1);
    if (!host.includes(':')) return null;
    if (rest !== '' && !rest.startsWith(':')) return null;
  } else {
    const colon = hostPort.indexOf(':');
    host = colon === -1 ? hostPort : hostPort.slice(0, colon);
    rest = colon === -1 ? '' : hostPort.slice(colon);
  }

  const digits = rest.slice(1);
  if (digits === '') return { userinfo, host, port: null };
  const port = parsePort(digits);
  return port === null ? null : { userinfo, host, port };
}

/** A port of ASCII digits, 1..65535, leading zeros allowed; null for anything else. */
function parsePort(digits: string): number | null {
  let port = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return null;
    port = port * 10 + digit;
    if (port > 65535) return null;
  }
  return port === 0 ? null : port;
}
