/**
 * gemini URLs: `gemini://` host [`:` port] path [`?` query], and the one request that each stands for.
 *
 * Rules of this file:
 * - What is sent is made here and nowhere else: `wireUrl` is ASCII, has no fragment, no default port and no dot segments.
 *   Escapes are otherwise left as they are, since a server may tell `%2F` from `/`.
 * - The length limit is that of the bytes sent, so it is judged last; a fragment does not count.
 * - A query is a secret: it stands in `wireUrl` alone. No message, echo or key holds it.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (URI scheme; Requests)
 */
import { fail, type Failure } from '../../common/error-codes.js';
import { parseAuthority } from '../../common/net/authority.js';
import { bracketed, normalizeHost } from '../../common/net/host.js';
import { ok, type Result } from '../../common/result.js';
import { percentEncode } from '../../common/text/percent.js';
import { sanitizeText } from '../../common/text/sanitize.js';
import { removeDotSegments } from './dot-segments.js';

/** Longest URL that may be sent, in bytes, without the CRLF behind it. */
export const MAX_URL_BYTES = 1024;

/** The port of a URL that names none. */
export const DEFAULT_PORT = 1965;

/** A parsed gemini URL. */
export interface GeminiRequest {
  /** Normalised. */
  readonly host: string;
  readonly port: number;
  /** The canonical URL; null when a query is present, for such an answer is neither stored nor shared. */
  readonly key: string | null;
  /** The path, alone and with the query, as robots rules may name it. */
  readonly robotsPaths: readonly string[];
  /** The path with dot segments removed, otherwise as written; begins with `/`. */
  readonly path: string;
  /** What stands behind the first `?`, encoded for the wire; null without one. Never to be shown. */
  readonly query: string | null;
  /** What is sent, without the CRLF. Holds the query. */
  readonly wireUrl: string;
  /** The URL to echo, and the base of relative links: `wireUrl` without the query. */
  readonly displayUrl: string;
}

/**
 * Parses `url`. An `answer` (what a person typed at a prompt, not encoded) replaces the query and the fragment of the URL.
 * Returns INVALID_REQUEST for anything that may not be sent; the message never quotes the URL.
 */
export function parseGeminiUrl(url: string, answer: string | null = null): Result<GeminiRequest, Failure> {
  const text = answer === null ? url : withAnswer(url, answer);
  if (text.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return wrongScheme(text);
  if (hasControl(text)) return invalid('The URL holds a tab, a line break or another control character.');
  if (LONE_SURROGATE.test(text)) return invalid('The URL is not well-formed Unicode.');

  const { authority, rawPath, rawQuery } = split(text);
  const site = parseSite(authority);
  if (!site.ok) return site;
  if (rawPath.includes(' ') || rawQuery?.includes(' ')) {
    return invalid('The URL holds a space.', 'Write a space in a path or query as %20.');
  }

  const { host, port } = site.value;
  const path = removeDotSegments(rawPath === '' ? '/' : rawPath.replaceAll(ESCAPED_DOT, '.'));
  const wirePath = encodeNonAscii(path);
  const query = rawQuery === null ? null : encodeNonAscii(rawQuery);
  const displayUrl = `${origin(host, port)}${wirePath}`;
  const wireUrl = query === null ? displayUrl : `${displayUrl}?${query}`;
  if (wireUrl.length > MAX_URL_BYTES) return tooLong(answer);
  return ok({
    host,
    port,
    key: query === null ? wireUrl : null,
    robotsPaths: query === null ? [wirePath] : [wirePath, `${wirePath}?${query}`],
    path,
    query,
    wireUrl,
    displayUrl,
  });
}

/** Scheme and authority of a request: `gemini://host`, with the port unless it is the default. */
export function origin(host: string, port: number): string {
  return port === DEFAULT_PORT ? SCHEME + bracketed(host) : `${SCHEME}${bracketed(host)}:${port}`;
}

/**
 * What may be shown of a URL that was refused: cut at the first `?`, without userinfo, without invisible characters. Works on
 * any text.
 */
export function echoRefused(url: string): string {
  const queryAt = url.indexOf('?');
  const shown = queryAt === -1 ? url : url.slice(0, queryAt);
  const start = AUTHORITY_START.exec(shown)?.[0].length ?? 0;
  const at = shown.lastIndexOf('@', authorityEnd(shown, start) - 1);
  return sanitizeText(at < start ? shown : shown.slice(0, start) + shown.slice(at + 1));
}

/** `text` with every character above ASCII as escapes of its UTF-8 bytes; everything else as it stands. */
export function encodeNonAscii(text: string): string {
  return isAscii(text) ? text : percentEncode(Buffer.from(text), isAsciiByte);
}

const SCHEME = 'gemini://';
const ESCAPED_DOT = /%2e/gi;
/** Up to where userinfo may stand, in a URL that may be written in any way. */
const AUTHORITY_START = /^(?:[^/\\?#@]*:)?[/\\]+/;
const LONE_SURROGATE = /\p{Surrogate}/u;

function invalid(message: string, nextStep?: string): { readonly ok: false; readonly error: Failure } {
  return fail('INVALID_REQUEST', message, {
    reason: 'argument',
    ...(nextStep === undefined ? {} : { next_step: nextStep }),
  });
}

function tooLong(answer: string | null): { readonly ok: false; readonly error: Failure } {
  return answer === null
    ? invalid(`The URL is longer than ${MAX_URL_BYTES} bytes, the limit of the protocol.`)
    : invalid(
        `With this input the URL is longer than ${MAX_URL_BYTES} bytes, the limit of the protocol; nothing was sent.`,
        'Give a shorter input.',
      );
}

/** Says what the URL is instead, and which tool takes it. */
function wrongScheme(url: string): { readonly ok: false; readonly error: Failure } {
  const colon = url.indexOf(':');
  switch (colon === -1 ? '' : url.slice(0, colon).toLowerCase()) {
    case 'gopher':
      return invalid('This is a Gopher URL.', 'Use gopher_fetch for gopher:// URLs.');
    case 'http':
    case 'https':
      return invalid('This is a web URL; web pages are not served.', 'Use another tool for the web.');
    default:
      return invalid('The URL does not begin with gemini://.', 'Give the full URL, such as gemini://host/path.');
  }
}

/** The URL with its query and fragment replaced by the answer: all but unreserved characters encoded. */
function withAnswer(url: string, answer: string): string {
  const cutAt = [url.indexOf('#'), url.indexOf('?')].filter((at) => at !== -1);
  return `${url.slice(0, Math.min(url.length, ...cutAt))}?${percentEncode(Buffer.from(answer), isUnreserved)}`;
}

interface UrlParts {
  readonly authority: string;
  readonly rawPath: string;
  readonly rawQuery: string | null;
}

function split(url: string): UrlParts {
  const start = SCHEME.length;
  const fragmentAt = url.indexOf('#', start);
  const whole = fragmentAt === -1 ? url : url.slice(0, fragmentAt);
  const pathAt = authorityEnd(whole, start);
  const queryAt = whole.indexOf('?', pathAt);
  return {
    authority: whole.slice(start, pathAt),
    rawPath: queryAt === -1 ? whole.slice(pathAt) : whole.slice(pathAt, queryAt),
    rawQuery: queryAt === -1 ? null : whole.slice(queryAt + 1),
  };
}

/** RFC 3986 section 3.2: the authority ends at the next `/`, `?` or `#`. */
function authorityEnd(url: string, start: number): number {
  for (let i = start; i < url.length; i++) {
    const unit = url.charCodeAt(i);
    if (unit === SLASH || unit === QUESTION || unit === HASH) return i;
  }
  return url.length;
}

function parseSite(authority: string): Result<{ readonly host: string; readonly port: number }, Failure> {
  const parts = parseAuthority(authority);
  if (!parts) return invalid('The host or the port in the URL is malformed.');
  if (parts.userinfo !== null && parts.userinfo !== '' && parts.userinfo !== ':') {
    return invalid('The URL holds a user name or password, which Gemini does not allow.');
  }
  if (parts.host === '') return invalid('The URL names no host.');
  // Blanks around a host are let pass where people type one, but no URL has them.
  const host = parts.host === parts.host.trim() ? normalizeHost(parts.host) : null;
  if (host === null) return invalid('The host in the URL is not a valid host name.');
  return ok({ host, port: parts.port ?? DEFAULT_PORT });
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function isAsciiByte(byte: number): boolean {
  return byte < 0x80;
}

/** RFC 3986 section 2.3: letters, digits, `-`, `.`, `_`, `~`. */
function isUnreserved(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x5f ||
    byte === 0x7e
  );
}

const SLASH = 0x2f;
const QUESTION = 0x3f;
const HASH = 0x23;
