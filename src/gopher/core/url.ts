/**
 * gopher URLs (RFC 4266): `gopher://` host [`:` port] [`/` type selector [`%09` search]].
 *
 * Rules of this file:
 * - The selector is opaque. It is decoded to bytes and goes to the wire as those bytes, UTF-8 or not.
 * - `?` has no meaning in a gopher URL, with one exception that every client makes: on type 7 it begins the search
 *   terms, as `%09` does on any type. Whichever comes first on a type 7 is the separator.
 * - A search that is there but empty is a search: it sends its empty field and is a resource of its own.
 * - Only type 7 takes a search. On another type it is not sent, and flagged.
 * - Userinfo means nothing in Gopher: it is dropped, and neither sent nor echoed.
 * - Raw control characters are refused rather than dropped, since dropping them would ask for another selector;
 *   escaped ones are refused because they would end or extend the request line.
 */
import { failure, type Failure } from '../../common/error-codes.js';
import { parseAuthority } from '../../common/net/authority.js';
import { normalizeHost } from '../../common/net/host.js';
import { err, ok, type Result } from '../../common/result.js';
import { countCodePoints } from '../../common/text/code-points.js';
import { percentDecodeToBytes, percentEncode } from '../../common/text/percent.js';
import { sanitizeField } from '../../common/text/sanitize.js';
import { firstIndex, SCHEME, splitUrl, TAB_ESCAPE } from './url-parts.js';
import { canonicalUrl, DEFAULT_PORT, encodeSelector, isUnreserved } from './url-spelling.js';

/** Longest URL that is looked at, in UTF-8 bytes. */
const MAX_URL_BYTES = 8192;

/** Bounds on the decoded parts of a URL, in code points. */
export interface GopherUrlLimits {
  readonly maxSelectorLength: number;
  readonly maxSearchLength: number;
}

/** A parsed gopher URL. */
export interface GopherRequest {
  /** Normalised. */
  readonly host: string;
  readonly port: number;
  /** The canonical URL: equal for all spellings that send the same request. */
  readonly key: string;
  /** The selector as robots rules may name it: alone, and with the type in front. */
  readonly robotsPaths: readonly string[];
  /** Item type, one character (code point). */
  readonly type: string;
  /** What is sent. */
  readonly selector: Buffer;
  /** The selector for people: bytes that are not UTF-8 as U+FFFD, without invisible characters. */
  readonly selectorText: string;
  /** Search terms to send; null when there are none or the type takes none. */
  readonly search: Buffer | null;
  /** Whether a search was given to a type that takes none. */
  readonly searchIgnored: boolean;
  /** The URL to echo: as given, with a lowercase scheme, without userinfo, with the terms that were really sent. */
  readonly url: string;
}

/**
 * Parses `url`; `answer` (search terms, not encoded) replaces the URL's own terms on type 7. Returns INVALID_REQUEST for
 * anything that is not a gopher URL that can be asked for.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4266#section-2.1
 */
export function parseGopherUrl(
  url: string,
  answer: string | null,
  limits: GopherUrlLimits,
): Result<GopherRequest, Failure> {
  // A code unit takes at most three bytes, so most URLs need not be measured.
  if (url.length * 3 > MAX_URL_BYTES && Buffer.byteLength(url) > MAX_URL_BYTES) {
    return invalid(`The URL is longer than ${MAX_URL_BYTES} bytes.`);
  }
  if (url.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return wrongScheme(url);
  if (hasControl(url)) {
    return invalid('The URL holds a tab, a line break or another control character.');
  }
  const { authority, path, fragment } = splitUrl(url);
  const site = parseSite(authority);
  if (!site.ok) return site;

  const typed = parseType(path);
  if (!typed) return invalid('The item type in the URL is not a printable character.');
  const { type, rest } = typed;

  const separator = searchSeparator(rest, type);
  const selector = percentDecodeToBytes(rest.slice(0, separator.at));
  const selectorText = selector.toString();
  const terms = searchTerms(rest, separator, answer);
  const tooMuch =
    refusedField('selector', selector, selectorText, limits.maxSelectorLength, 'GOPHER_MAX_SELECTOR_LENGTH') ??
    (terms && refusedField('search', terms, terms.toString(), limits.maxSearchLength, 'GOPHER_MAX_SEARCH_LENGTH'));
  if (tooMuch) return err(tooMuch);

  const search = type === '7' ? terms : null;
  const { host, port } = site.value;
  const shownHost = authority.slice(authority.lastIndexOf('@') + 1);
  // The terms of the call replace those of the URL only where they are sent.
  const shownTail =
    answer !== null && type === '7'
      ? `${path.slice(0, path.length - rest.length + separator.at)}?${percentEncode(Buffer.from(answer), isUnreserved)}`
      : path + fragment;
  return ok({
    host,
    port,
    key: canonicalUrl(host, port, type, selector, search),
    robotsPaths: robotsPaths(type, selectorText.includes('\ufffd') ? encodeSelector(selector) : selectorText),
    type,
    selector,
    selectorText: sanitizeField(selectorText),
    search,
    searchIgnored: terms !== null && type !== '7',
    url: sanitizeField(SCHEME + shownHost + shownTail),
  });
}

function invalid(message: string, nextStep?: string): { readonly ok: false; readonly error: Failure } {
  return err(
    failure('INVALID_REQUEST', message, {
      reason: 'argument',
      ...(nextStep === undefined ? {} : { next_step: nextStep }),
    }),
  );
}

/** Says what the URL is instead, and which tool takes it. */
function wrongScheme(url: string): { readonly ok: false; readonly error: Failure } {
  const colon = url.indexOf(':');
  switch (colon === -1 ? '' : url.slice(0, colon).toLowerCase()) {
    case 'gemini':
      return invalid('This is a Gemini URL.', 'Use gemini_fetch for gemini:// URLs.');
    case 'http':
    case 'https':
      return invalid('This is a web URL; web pages are not served.', 'Use another tool for the web.');
    default:
      return invalid('The URL does not begin with gopher://.', 'Give the full URL, such as gopher://host/1/path.');
  }
}

function parseSite(authority: string): Result<{ readonly host: string; readonly port: number }, Failure> {
  const parts = parseAuthority(authority);
  if (!parts) return invalid('The host or the port in the URL is malformed.');
  if (parts.host === '') return invalid('The URL names no host.');
  const host = normalizeHost(parts.host);
  if (host === null) return invalid('The host in the URL is not a valid host name.');
  return ok({ host, port: parts.port ?? DEFAULT_PORT });
}

/**
 * The item type and the undecoded text behind it. Without one (an empty path, or search terms where the type belongs) it
 * is the root menu. Null when what stands there is not a printable character.
 */
function parseType(path: string): { readonly type: string; readonly rest: string } | null {
  const text = path.startsWith('/') ? path.slice(1) : path;
  if (text === '' || text.startsWith('?') || text.startsWith(TAB_ESCAPE)) return { type: '1', rest: text };
  const escaped = escapedLength(text);
  const type =
    escaped === 0
      ? String.fromCodePoint(text.codePointAt(0) ?? 0)
      : percentDecodeToBytes(text.slice(0, escaped)).toString();
  // One code point that people can see: neither a control or format character nor the remains of broken UTF-8.
  if (countCodePoints(type) !== 1 || type === '\ufffd' || sanitizeField(type) !== type) return null;
  return { type, rest: text.slice(escaped === 0 ? type.length : escaped) };
}

/** Length of the escapes at the start of `text` that stand for one UTF-8 character; 0 when it does not begin with one. */
function escapedLength(text: string): number {
  const lead = percentDecodeToBytes(text.slice(0, 3));
  // A bad escape decodes to its own three characters.
  if (!text.startsWith('%') || lead.length !== 1) return 0;
  const byte = lead[0] ?? 0;
  if (byte < 0xc0) return 3;
  if (byte < 0xe0) return 6;
  return byte < 0xf0 ? 9 : 12;
}

/** What stands between selector and search terms; of length 0, at the end, when there are no terms. */
interface Separator {
  readonly at: number;
  readonly length: number;
}

/** The first `%09`, or on type 7 the first `?` if that comes earlier. */
function searchSeparator(rest: string, type: string): Separator {
  const tabAt = firstIndex(rest.length, rest.indexOf(TAB_ESCAPE));
  const queryAt = type === '7' ? firstIndex(rest.length, rest.indexOf('?')) : rest.length;
  if (queryAt < tabAt) return { at: queryAt, length: 1 };
  return { at: tabAt, length: tabAt < rest.length ? TAB_ESCAPE.length : 0 };
}

/** The terms of the call, else those of the URL; null without any. */
function searchTerms(rest: string, separator: Separator, answer: string | null): Buffer | null {
  if (answer !== null) return Buffer.from(answer);
  return separator.length === 0 ? null : percentDecodeToBytes(rest.slice(separator.at + separator.length));
}

function refusedField(name: string, bytes: Buffer, text: string, maxLength: number, setting: string): Failure | null {
  if (bytes.some((byte) => byte < 0x20 || byte === 0x7f)) {
    return failure('INVALID_REQUEST', `The ${name} holds a control character.`, { reason: 'argument' });
  }
  const length = countCodePoints(text);
  if (length <= maxLength) return null;
  return failure(
    'INVALID_REQUEST',
    `The ${name} is ${length} characters long; the limit is ${maxLength} (${setting}).`,
    { reason: 'argument' },
  );
}

/**
 * The selector alone and behind its type: authors of robots.txt write rules either way. Escapes stand for bytes that are
 * not UTF-8, as rules have no other way to name them.
 */
function robotsPaths(type: string, selector: string): readonly string[] {
  const path = selector.startsWith('/') ? selector : `/${selector}`;
  return [path, `/${type}${path}`, `${type}${path}`];
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}
