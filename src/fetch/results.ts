/** Builds what the pipeline answers: pages, one-time answers and errors, each with the stamp of the call. */
import type { Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import { compactBytes, packInSteps, payload, type ResultPayload } from '../common/payload.js';
import { isoInstant, type RequestInfo } from '../common/request-info.js';
import type { Steps } from '../common/steps.js';
import type { CachedPage } from '../cache/index.js';
import type { ConnectionInfo, FetchRequest, IncompleteReason, RenderedWindow } from './protocol.port.js';

/** The echo with its instant and, where a server was reached, the facts of the connection. */
export function stampedInfo(echo: RequestInfo, nowMs: number, connection: ConnectionInfo = {}): RequestInfo {
  const { url, ...rest } = echo;
  return { ...(url === undefined ? {} : { url }), timestamp: isoInstant(nowMs), ...rest, ...connection };
}

/**
 * Marks that the content is a server's: some clients show a model nothing but structuredContent, so the warning has to
 * travel inside it.
 */
export function untrustedFrom(request: FetchRequest): { readonly untrusted: true; readonly source_host: string } {
  return { untrusted: true, source_host: request.host };
}

/** A rendered window as it is cached and sent. */
export function* packPage(
  window: RenderedWindow,
  request: FetchRequest,
  incomplete: IncompleteReason | null,
  fetchedAtMs: number,
  connection: ConnectionInfo,
): Steps<CachedPage> {
  return {
    kind: window.members.kind,
    fetchedAtMs,
    // The first-use remark belongs to the request that pinned the certificate, not to replays.
    connection: 'tofu_warning' in connection ? { ...connection, tofu_warning: null } : { ...connection },
    constant: yield* packInSteps({
      ...window.members,
      incomplete: incomplete !== null,
      incomplete_reason: incomplete,
      ...untrustedFrom(request),
    }),
  };
}

/** Bytes of a page's compact JSON beside its window: marks, cache trio and echo at their longest. */
export function pageOverheadBytes(request: FetchRequest, info: RequestInfo): number {
  return compactBytes({
    incomplete: false,
    incomplete_reason: 'no_close_notify',
    ...untrustedFrom(request),
    cached: false,
    cached_at: isoInstant(0),
    cache_age_seconds: 86_400.5,
    request_info: { ...info, timestamp: isoInstant(0) },
  });
}

/** A page that was just downloaded. */
export function freshPage(page: CachedPage, info: RequestInfo): ResultPayload {
  return {
    kind: page.kind,
    constant: page.constant,
    stamp: { cached: false, cached_at: null, cache_age_seconds: null, request_info: { ...info } },
  };
}

/** A page from the cache or from a held body, stamped with its age. */
export function replayedPage(page: CachedPage, info: RequestInfo, nowMs: number): ResultPayload {
  const ageSeconds = Math.max(0, Math.round((nowMs - page.fetchedAtMs) / 100) / 10);
  return {
    kind: page.kind,
    constant: page.constant,
    stamp: {
      cached: true,
      cached_at: isoInstant(page.fetchedAtMs),
      cache_age_seconds: ageSeconds,
      request_info: { ...info },
    },
  };
}

/** A failure as a payload of kind `error`. `request` is given when the payload may carry a server's words. */
export function errorPayload(
  { code, message, facts }: Failure,
  info: RequestInfo,
  request?: FetchRequest,
): ResultPayload {
  const error: JsonObject = { code, message, ...facts };
  const origin = facts.meta !== undefined && request ? untrustedFrom(request) : {};
  return payload({ kind: 'error', error, ...origin }, { request_info: { ...info } });
}
