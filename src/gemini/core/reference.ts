/**
 * References in pages and redirects (RFC 3986 section 5), resolved on strings.
 *
 * Rules of this file:
 * - A target with a scheme is delivered as it was written, case included; nothing in it is resolved.
 * - The base is the request URL without its query, so that a secret in it does not travel into links.
 * - `#` alone is the page itself, without an empty fragment; `?` alone keeps its empty query, which is another request.
 * - What the fetch tools refuse in raw form (blanks, and characters above ASCII beyond the length limit) is escaped. An
 *   authority is left as it is: escapes would not make it a host.
 * - A target whose authority cannot be taken apart gives null; nothing here throws.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-5.2
 */
import { parseAuthority } from '../../common/net/authority.js';
import { percentEncode } from '../../common/text/percent.js';
import { removeDotSegments } from './dot-segments.js';

/** What references are resolved against. */
export interface ReferenceBase {
  /** Scheme and authority, such as `gemini://host:1966`. */
  readonly origin: string;
  /** Begins with `/`; encoded, without dot segments. */
  readonly path: string;
}

/** Takes a URL without query and fragment apart. */
export function referenceBase(url: string): ReferenceBase {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2);
  return pathAt === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, pathAt), path: url.slice(pathAt) };
}

/** The URL that `target` stands for on the page `base`; null when it cannot be one. Linear in the length of both. */
export function resolveReference(base: ReferenceBase, target: string): string | null {
  const schemeEnd = schemeLength(target);
  const authorityAt = schemeEnd === 0 ? 0 : schemeEnd + 1;
  if (target.startsWith('//', authorityAt)) {
    const end = authorityEnd(target, authorityAt + 2);
    const authority = parseAuthority(target.slice(authorityAt + 2, end));
    if (authority === null) return null;
    const rest = encodeUnsafe(target.slice(end));
    if (schemeEnd !== 0) return target.slice(0, end) + rest;
    return authority.host === '' ? null : base.origin.slice(0, base.origin.indexOf('//')) + target.slice(0, end) + rest;
  }
  if (schemeEnd !== 0) return encodeUnsafe(target);
  return resolveRelative(base, encodeUnsafe(target));
}

/** The scheme of an absolute URL, lowercase; '' when it has none. */
export function schemeOf(url: string): string {
  return url.slice(0, schemeLength(url)).toLowerCase();
}

/** The authority of an absolute URL, undecoded; null when it has none. */
export function authorityOf(url: string): string | null {
  const start = schemeLength(url) + 1;
  return url.startsWith('//', start) ? url.slice(start + 2, authorityEnd(url, start + 2)) : null;
}

function resolveRelative(base: ReferenceBase, target: string): string {
  if (target === '' || target === '#') return base.origin + base.path;
  const first = target.charCodeAt(0);
  if (first === QUESTION || first === HASH) return base.origin + base.path + target;
  const pathEnd = firstOf(target, QUESTION, HASH);
  const path = target.slice(0, pathEnd);
  const merged = first === SLASH ? path : base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
  return base.origin + removeDotSegments(merged) + target.slice(pathEnd);
}

/** Length of the scheme before the first `:` (RFC 3986 section 3.1); 0 when the text begins with none. */
function schemeLength(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const lower = unit | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) continue;
    if (unit === COLON) return i;
    const isTail = (unit >= 0x30 && unit <= 0x39) || unit === PLUS || unit === MINUS || unit === DOT;
    if (i === 0 || !isTail) return 0;
  }
  return 0;
}

function authorityEnd(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === SLASH || unit === QUESTION || unit === HASH) return i;
  }
  return text.length;
}

function firstOf(text: string, one: number, other: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === one || unit === other) return i;
  }
  return text.length;
}

function encodeUnsafe(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= SPACE || unit >= DELETE) return percentEncode(Buffer.from(text), isVisibleAscii);
  }
  return text;
}

function isVisibleAscii(byte: number): boolean {
  return byte > SPACE && byte < DELETE;
}

const SPACE = 0x20;
const HASH = 0x23;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const QUESTION = 0x3f;
const DELETE = 0x7f;
