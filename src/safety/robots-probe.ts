import type { ErrorCode, Failure, FailureReason } from '../common/error-codes.js';

/** What asking a host for its robots.txt gave. */
export type RobotsProbe =
  /** A policy file, decoded. */
  | { readonly kind: 'policy'; readonly text: string }
  /** The host has none: allow, remembered for the policy lifetime. */
  | { readonly kind: 'absent' }
  /** It could not be read: what that means is the gate's setting (Gopher allows, Gemini refuses). */
  | {
      readonly kind: 'unavailable';
      /** Class of the failure in a few words of ours, e.g. "timed out". */
      readonly cause: string;
      /** The same as a stable reason, where there is one. */
      readonly reason?: FailureReason;
      /** Whether one immediate second try makes sense (a single time-out). */
      readonly retry?: boolean;
      /** The host asks for a pause (Gemini 44): its field verbatim. A number in it replaces the failure back-off. */
      readonly slowDown?: string;
    }
  /** A refusal of its own (BLOCKED, DNS_ERROR, trust, store): passes through unchanged. */
  | { readonly kind: 'surface'; readonly failure: Failure };

/** What the caller of a fetch must see as it is when it ends the probe already. */
const SURFACING: ReadonlySet<ErrorCode> = new Set([
  'BLOCKED',
  'DNS_ERROR',
  'SLOW_DOWN',
  'CERTIFICATE_CHANGED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_UNVERIFIED',
  'CERTIFICATE_STORE_UNAVAILABLE',
]);

const CAUSES: ReadonlyMap<ErrorCode | FailureReason, string> = new Map([
  ['TLS_ERROR', 'TLS handshake failed'],
  ['PROTOCOL_ERROR', 'malformed reply'],
  ['timeout', 'timed out'],
  ['malformed', 'malformed reply'],
  ['too_large', 'too large'],
  ['refused', 'refused or unreachable'],
  ['unreachable', 'refused or unreachable'],
]);

/**
 * The outcome of a probe that ended in `failure`. A refused address, a name that does not resolve, pacing, and everything
 * about trust and its store surface; all else means that the policy is unavailable, and after a time-out one more try
 * makes sense.
 */
export function probeFailed(failure: Failure): RobotsProbe {
  const { code, facts } = failure;
  if (SURFACING.has(code)) return { kind: 'surface', failure };
  const cause = CAUSES.get(code) ?? (facts.reason && CAUSES.get(facts.reason)) ?? 'connection failed';
  return facts.reason === undefined
    ? { kind: 'unavailable', cause }
    : { kind: 'unavailable', cause, reason: facts.reason, retry: facts.reason === 'timeout' };
}
