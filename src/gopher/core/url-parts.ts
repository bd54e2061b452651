/** Takes URLs apart by their delimiters alone (RFC 3986 section 3), without judging the parts. */
import { parseAuthority } from '../../common/net/authority.js';
import { sanitizeField } from '../../common/text/sanitize.js';

/** What every URL here begins with. */
export const SCHEME = 'gopher://';

/** What separates selector and search terms in a URL, as it stands there. */
export const TAB_ESCAPE = '%09';

/** A gopher URL in three pieces. */
export interface UrlParts {
  readonly authority: string;
  /** Everything behind the authority, up to the fragment; begins with `/` or `?`, or is empty. */
  readonly path: string;
  /** With its `#`, or empty. */
  readonly fragment: string;
}

/** Cuts a URL that begins with {@link SCHEME}, in any case. */
export function splitUrl(url: string): UrlParts {
  const start = SCHEME.length;
  const fragmentAt = firstIndex(url.length, url.indexOf('#', start));
  const pathAt = authorityEnd(url, start);
  return {
    authority: url.slice(start, pathAt),
    path: url.slice(pathAt, fragmentAt),
    fragment: url.slice(fragmentAt),
  };
}

/** RFC 3986 section 3.2: the authority ends at the next `/`, `?` or `#`. */
function authorityEnd(url: string, start: number): number {
  return firstIndex(url.length, url.indexOf('/', start), url.indexOf('?', start), url.indexOf('#', start));
}

/** The smallest of some indexOf results; `none` when nothing was found. */
export function firstIndex(none: number, ...found: readonly number[]): number {
  return found.reduce((first, index) => (index !== -1 && index < first ? index : first), none);
}

/**
 * What may be shown of a URL that was refused: no userinfo, no search terms (from the first `?` or `%09`). Works on any
 * text; a fragment behind no query stays. Where the authority is malformed, a password that holds a delimiter may be to
 * blame: then everything before the last `@` is left out.
 */
export function echoRefused(url: string): string {
  const bare = withoutUserinfo(url);
  return sanitizeField(bare.slice(0, firstIndex(bare.length, bare.indexOf('?'), bare.indexOf(TAB_ESCAPE))));
}

function withoutUserinfo(url: string): string {
  const schemeEnd = url.indexOf('://');
  if (schemeEnd === -1) return url;
  const start = schemeEnd + '://'.length;
  const end = authorityEnd(url, start);
  const isMalformed = parseAuthority(url.slice(start, end)) === null;
  const at = url.lastIndexOf('@', isMalformed ? url.length : end - 1);
  return url.slice(0, start).toLowerCase() + url.slice(Math.max(start, at + 1));
}
