/**
 * For which requests an identity is presented: one host and port, one path and everything below it. Never wider: an identity
 * links visits, so its owner says where.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (Client certificates)
 */
import { bracketed } from '../../common/net/host.js';
import { percentEncode } from '../../common/text/percent.js';

/** Where an identity belongs. */
export interface Scope {
  /** Normalised. */
  readonly host: string;
  readonly port: number;
  /** Starts with `/`; `/` is the whole capsule. */
  readonly path: string;
}

/**
 * Whether a request for `path` is within the scope `scopePath`: the same path, or below it. `/api` covers `/api/v1` but not
 * `/api_x`; `/app/` does not cover `/app`. Both in the form of {@link comparablePath}.
 */
export function coversPath(scopePath: string, path: string): boolean {
  if (!path.startsWith(scopePath)) return false;
  return path.length === scopePath.length || scopePath.endsWith('/') || path.charAt(scopePath.length) === '/';
}

/** `path` with everything escaped that a URL escapes: so `/ä` and `/%C3%A4` compare equal. Existing escapes stay. */
export function comparablePath(path: string): string {
  return PLAIN_PATH.test(path) ? path : percentEncode(Buffer.from(path), isPathByte);
}

/** The scope as a URL that can be passed back to the tools. */
export function scopeUrl({ host, port, path }: Scope): string {
  const authority = port === DEFAULT_PORT ? bracketed(host) : `${bracketed(host)}:${port}`;
  return `gemini://${authority}${comparablePath(path)}`;
}

const DEFAULT_PORT = 1965;

/** pchar and `/` of RFC 3986, and `%`. */
const PLAIN_PATH = /^[\w.~!$&'()*+,;=:@/%-]*$/;

function isPathByte(byte: number): boolean {
  return PLAIN_PATH.test(String.fromCharCode(byte));
}
