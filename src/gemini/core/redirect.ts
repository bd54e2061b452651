/**
 * 3x answers: where the capsule points to. Redirects are returned, never followed; counting hops is the caller's.
 *
 * Rules of this file:
 * - What a URL may not carry in a request, a redirect target may not carry either.
 * - The same request in another spelling is a loop: scheme and host case, default port, dot segments, a fragment, and escapes
 *   that nobody needs make no difference.
 * - Trust belongs to host and port together, so another port is another host.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (Redirection)
 */
import { fail, type Failure } from '../../common/error-codes.js';
import type { JsonObject } from '../../common/json.js';
import { parseAuthority } from '../../common/net/authority.js';
import { normalizeHost } from '../../common/net/host.js';
import { ok, type Result } from '../../common/result.js';
import { hasDroppable } from '../../common/text/sanitize.js';
import type { ResponseHeader } from './header.js';
import { authorityOf, referenceBase, resolveReference, schemeOf } from './reference.js';
import { parseGeminiUrl, type GeminiRequest } from './url.js';

/** The target of a redirect. */
export interface RedirectTarget {
  /** Absolute; as written when it had a scheme. */
  readonly url: string;
  /** Lowercase. */
  readonly scheme: string;
  /** Whether it leads to another host or port, or to another protocol. */
  readonly crossHost: boolean;
  /** The request that it stands for; null for other protocols. */
  readonly request: GeminiRequest | null;
}

/** Resolves the target of a 3x answer to `request`. Returns INVALID_REDIRECT for one that cannot or must not be followed. */
export function redirectTarget(
  request: GeminiRequest,
  { status, meta }: ResponseHeader,
): Result<RedirectTarget, Failure> {
  const written = meta.trim();
  if (written === '') return invalid(status, 'it names no target');
  if (hasDroppable(written)) return invalid(status, 'its target holds invisible or control characters');
  const url = resolveReference(referenceBase(request.displayUrl), written);
  if (url === null) return invalid(status, 'its target is not a URL');
  const scheme = schemeOf(url);
  if (scheme !== 'gemini') {
    return mayBeRequested(url)
      ? ok({ url, scheme, crossHost: true, request: null })
      : invalid(status, 'its target is not a URL that may be requested');
  }
  const target = parseGeminiUrl(url);
  if (!target.ok) return invalid(status, 'its target is not a URL that may be requested');
  const crossHost = target.value.host !== request.host || target.value.port !== request.port;
  if (!crossHost && normalEscapes(target.value.wireUrl) === normalEscapes(request.wireUrl)) {
    return invalid(status, 'it points to the same URL again');
  }
  return ok({ url, scheme, crossHost, request: target.value });
}

/** The result that shows a redirect. */
export function redirectAnswer(
  { status }: ResponseHeader,
  target: RedirectTarget,
): JsonObject & { readonly kind: string } {
  const { url, crossHost, scheme } = target;
  return { kind: 'redirect', new_url: url, permanent: status === 31, cross_host: crossHost, scheme };
}

function invalid(status: number, why: string): { readonly ok: false; readonly error: Failure } {
  return fail('INVALID_REDIRECT', `The capsule redirects, but ${why}.`, {
    status,
    next_step: 'Report this; the fault is in the capsule, and another request ends the same way.',
  });
}

/** Whether the authority of a URL of another protocol, if it has one, names a host and no user. */
function mayBeRequested(url: string): boolean {
  const text = authorityOf(url);
  if (text === null || text === '') return true;
  const authority = parseAuthority(text);
  return authority !== null && !authority.userinfo && normalizeHost(authority.host) !== null;
}

/** `url` with escapes of unreserved characters decoded and the hexadecimal digits of all others in upper case. */
function normalEscapes(url: string): string {
  return url.replace(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

const ESCAPE = /%[0-9a-f]{2}/gi;
/** RFC 3986 section 2.3. */
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;
