/**
 * Trust on first use: what a presented certificate means, given what is pinned.
 *
 * Only the leaf certificate counts. Subject, issuer and host names are not judged; the Gemini specification leaves that to
 * the client, and capsules sign their own certificates.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (TLS, server certificate validation)
 */
import { sameFingerprint } from '../../common/fingerprint.js';
import { isPinExpired, type PinRecord } from './pin-record.js';
import type { Sighting } from './sighting.js';

/** The leaf certificate of a handshake. */
export interface PresentedCertificate {
  /** SHA-256 of its DER form, 64 lower-case hexadecimal digits. */
  readonly fingerprint: string;
  /** SHA-256 of its SubjectPublicKeyInfo in DER form, likewise; null when not known. May be a getter: read when needed. */
  readonly spki: string | null;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** What the operator allows. */
export interface PinPolicy {
  /** Refuse expired certificates instead of warning about them. */
  readonly rejectExpired: boolean;
  /** Which changes of certificate are taken as a renewal; both false = none, a person decides. */
  readonly renewal: {
    /** The pinned certificate has run out: from then on a change is no evidence of an attack (Gemini specification). */
    readonly expired: boolean;
    /** The new certificate is for the public key of the pinned one. */
    readonly sameKey: boolean;
  };
}

/** Why a certificate is pinned. */
export type PinOccasion = 'first_use' | 'pin_expired' | 'same_key';

/** What to do. */
export type PinDecision =
  /** Write `record`, then go on. */
  | {
      readonly kind: 'pin';
      readonly occasion: PinOccasion;
      readonly record: PinRecord;
      /** Whether the certificate has run out. */
      readonly expired: boolean;
    }
  /** It is the pinned one: go on. */
  | { readonly kind: 'match'; readonly sighting: Sighting; readonly expired: boolean; readonly expiresMs: number }
  /** Send nothing. */
  | { readonly kind: 'expired'; readonly expiresMs: number }
  | { readonly kind: 'not_yet_valid'; readonly notBeforeMs: number }
  | {
      readonly kind: 'changed';
      readonly pinned: PinRecord;
      readonly pinnedExpired: boolean;
      /** null when the pinned key is unknown. */
      readonly sameKey: boolean | null;
    };

/** Tolerated at the start of validity: capsules make certificates valid from now, and clocks differ. */
export const NOT_BEFORE_SKEW_MS = 300_000;

/** Decides. `stored` is the pin of the endpoint as the store holds it at this moment, null when there is none. */
export function decidePin(
  stored: PinRecord | null,
  presented: PresentedCertificate,
  nowMs: number,
  policy: PinPolicy,
): PinDecision {
  if (stored === null) return decideFirstUse(presented, nowMs, policy);
  return sameFingerprint(stored.fingerprint, presented.fingerprint)
    ? decideMatch(stored, presented, nowMs, policy)
    : decideChange(stored, presented, nowMs, policy);
}

function decideFirstUse(presented: PresentedCertificate, nowMs: number, policy: PinPolicy): PinDecision {
  if (isTooEarly(presented, nowMs)) return { kind: 'not_yet_valid', notBeforeMs: presented.notBeforeMs };
  const expired = presented.notAfterMs < nowMs;
  if (expired && policy.rejectExpired) return { kind: 'expired', expiresMs: presented.notAfterMs };
  return { kind: 'pin', occasion: 'first_use', expired, record: newPin(presented, nowMs) };
}

function decideMatch(
  stored: PinRecord,
  presented: PresentedCertificate,
  nowMs: number,
  policy: PinPolicy,
): PinDecision {
  // The certificate is the pinned one, so where the pin does not know its end, the certificate itself tells it.
  const expiresMs = stored.expiresSeconds === null ? presented.notAfterMs : stored.expiresSeconds * 1000;
  const expired = expiresMs < nowMs;
  if (expired && policy.rejectExpired) return { kind: 'expired', expiresMs };
  const sighting = {
    fingerprint: presented.fingerprint,
    seenSeconds: nowMs / 1000,
    expiresSeconds: presented.notAfterMs / 1000,
    // The same certificate has the same key; the presented one is worked out only when it is asked for.
    spki: stored.spki ?? presented.spki,
  };
  return { kind: 'match', sighting, expired, expiresMs };
}

function decideChange(
  stored: PinRecord,
  presented: PresentedCertificate,
  nowMs: number,
  policy: PinPolicy,
): PinDecision {
  const pinnedExpired = isPinExpired(stored, nowMs);
  const sameKey = stored.spki === null || presented.spki === null ? null : sameFingerprint(stored.spki, presented.spki);
  // A renewal is a certificate that is good now; anything else stays a change.
  const good = !isTooEarly(presented, nowMs) && presented.notAfterMs >= nowMs;
  const occasion = renewalOccasion(pinnedExpired, sameKey, policy);
  if (occasion === null || !good) return { kind: 'changed', pinned: stored, pinnedExpired, sameKey };
  const record = { ...newPin(presented, nowMs), firstSeenSeconds: stored.firstSeenSeconds, extra: stored.extra };
  return { kind: 'pin', occasion, expired: false, record };
}

function renewalOccasion(pinnedExpired: boolean, sameKey: boolean | null, policy: PinPolicy): PinOccasion | null {
  if (policy.renewal.sameKey && sameKey === true) return 'same_key';
  return policy.renewal.expired && pinnedExpired ? 'pin_expired' : null;
}

function newPin(presented: PresentedCertificate, nowMs: number): PinRecord {
  return {
    fingerprint: presented.fingerprint,
    firstSeenSeconds: nowMs / 1000,
    lastSeenSeconds: nowMs / 1000,
    expiresSeconds: presented.notAfterMs / 1000,
    spki: presented.spki,
    extra: {},
  };
}

function isTooEarly(presented: PresentedCertificate, nowMs: number): boolean {
  return presented.notBeforeMs > nowMs + NOT_BEFORE_SKEW_MS;
}
