/**
 * Entries of lists that name hosts. People paste URLs into them; an entry that could never match would look like a restriction
 * or a permission and be none, so it is refused, with the reason.
 */
import { parseAuthority } from '../common/net/authority.js';
import { bracketed, isIpLiteral, normalizeHost } from '../common/net/host.js';
import { quote } from '../common/text/quote.js';
import { err, ok, type Result } from '../common/result.js';

/**
 * An entry of ALLOWED_HOSTS: a host name, an address, or `.example.org` for every name below example.org. Gives the one
 * spelling that a host of a URL is compared with; fails with what is wrong.
 */
export function parseAllowedHost(entry: string): Result<string, string> {
  const text = entry.trim();
  const isDomain = text.startsWith('.');
  const host = normalizeHost(isDomain ? text.slice(1) : text);
  if (host !== null && !(isDomain && isIpLiteral(host) !== 0)) return ok(isDomain ? `.${host}` : host);
  return err(`${quote(text)} is not a host: ${hint(text, ALLOWED_HOST_HINTS)}`);
}

/**
 * A name under which clients may address the HTTP endpoint: `HOST` or `HOST:PORT` as in a Host header, IPv6 in brackets (added
 * when missing). Fails with what is wrong.
 */
export function parseHostHeader(entry: string): Result<string, string> {
  const text = entry.trim();
  if (isIpLiteral(text) === 6) return parseHostHeader(`[${text}]`);
  const authority = text.includes('/') ? null : parseAuthority(text);
  const host = authority === null || authority.userinfo !== null ? null : normalizeHost(authority.host);
  if (authority === null || host === null) {
    return err(`${quote(text)} is not HOST or HOST:PORT: ${hint(text, HOST_HEADER_HINTS)}`);
  }
  return ok(bracketed(host) + (authority.port === null ? '' : `:${authority.port}`));
}

interface Hints {
  readonly wildcard: string;
  readonly port: string;
}

const ALLOWED_HOST_HINTS: Hints = {
  wildcard: 'write .example.org for every name below example.org',
  port: 'leave out the port',
};

const HOST_HEADER_HINTS: Hints = {
  wildcard: 'there are no wildcards',
  port: 'a port is a number from 1 to 65535',
};

/** What is most likely wrong with `text`. */
function hint(text: string, hints: Hints): string {
  if (text.includes('://')) return 'leave out the scheme and the path';
  if (text.includes('/')) return 'leave out the path';
  if (text.includes('*')) return hints.wildcard;
  if (text.includes('@')) return 'leave out what stands before the @';
  if (text.includes(':')) return hints.port;
  return 'there can be no such name';
}
