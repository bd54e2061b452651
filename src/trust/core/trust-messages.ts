/** What callers are told about trust decisions. Names the endpoint, never a path; a stored fingerprint only where it helps to decide. */
import { fail, failure, type Failure } from '../../common/error-codes.js';
import { bracketed } from '../../common/net/host.js';
import { isoInstant } from '../../common/request-info.js';
import type { PinDecision } from './decide-pin.js';
import type { Endpoint, PinRecord } from './pin-record.js';

type Pinned = Extract<PinDecision, { kind: 'pin' }>;
type Changed = Extract<PinDecision, { kind: 'changed' }>;
type Failed = { readonly ok: false; readonly error: Failure };

/** `host:port` as a URL writes it. */
export function endpointName({ host, port }: Endpoint): string {
  return `${bracketed(host)}:${port}`;
}

/** The `tofu_warning` of a connection whose certificate was just pinned. */
export function pinWarning(endpoint: Endpoint, { occasion, expired }: Pinned): string {
  const name = endpointName(endpoint);
  switch (occasion) {
    case 'first_use':
      return expired
        ? `First connection to ${name}: its certificate is now pinned, although it has expired.`
        : `First connection to ${name}: its certificate is now pinned and will be expected from now on.`;
    case 'pin_expired':
      return `${name} presents a new certificate in place of the pinned one, which had expired. It was accepted as a renewal and is now pinned.`;
    case 'same_key':
      return `${name} presents a new certificate for the same key. It was accepted as a renewal and is now pinned.`;
  }
}

/** The `tofu_warning` of a connection whose pinned certificate has expired. */
export function expiredWarning(endpoint: Endpoint, expiresMs: number): string {
  return `The certificate of ${endpointName(endpoint)} is the pinned one, but it expired at ${isoInstant(expiresMs)}.`;
}

/** CERTIFICATE_CHANGED, with the facts that a person needs to decide. */
export function changedFailure(
  endpoint: Endpoint,
  presentedFingerprint: string,
  { pinned, pinnedExpired, sameKey }: Changed,
): Failure {
  const name = endpointName(endpoint);
  return failure(
    'CERTIFICATE_CHANGED',
    `${name} presents another certificate than the pinned one; nothing was sent. Either the capsule renewed its certificate, or somebody is between it and this server.`,
    {
      pinned_fingerprint: pinned.fingerprint,
      presented_fingerprint: presentedFingerprint,
      first_seen: isoInstant(pinned.firstSeenSeconds * 1000),
      pinned_expired: pinnedExpired,
      same_key: sameKey,
      next_step:
        'Show the user these facts (gemini_trust_list has the whole pin) and let them decide. Only if they trust the change: ' +
        'gemini_trust_update with action "pin" and presented_fingerprint, or action "remove" and pinned_fingerprint; then fetch again.',
    },
  );
}

/** CERTIFICATE_EXPIRED. */
export function expiredFailure(endpoint: Endpoint, expiresMs: number): Failure {
  return failure(
    'CERTIFICATE_EXPIRED',
    `The certificate of ${endpointName(endpoint)} expired at ${isoInstant(expiresMs)}, and GEMINI_TOFU_REJECT_EXPIRED refuses expired certificates; nothing was sent.`,
    { next_step: 'Tell the user; only the capsule can renew its certificate.' },
  );
}

/** CERTIFICATE_NOT_YET_VALID. */
export function notYetValidFailure(endpoint: Endpoint, notBeforeMs: number): Failure {
  return failure(
    'CERTIFICATE_NOT_YET_VALID',
    `The certificate of ${endpointName(endpoint)} is valid only from ${isoInstant(notBeforeMs)}; nothing was sent.`,
    { next_step: 'Check the clock of this machine; if it is right, the certificate of the capsule is not.' },
  );
}

/** CERTIFICATE_UNVERIFIED. */
export function unverifiedFailure(endpoint: Endpoint): Failed {
  return fail(
    'CERTIFICATE_UNVERIFIED',
    `${endpointName(endpoint)} presented no certificate that could be checked; nothing was sent.`,
    { next_step: 'Try once more; if it stays so, the server is no Gemini server.' },
  );
}

/** TOFU_DISABLED. */
export function disabledFailure(): Failed {
  return fail('TOFU_DISABLED', 'Trust on first use is turned off (GEMINI_TOFU_ENABLED), so there are no pins.', {
    next_step: 'Only the operator can turn it on.',
  });
}

/** INVALID_REQUEST about an argument of the trust tools. */
export function argumentFailure(message: string, nextStep: string): Failed {
  return fail('INVALID_REQUEST', message, { reason: 'argument', next_step: nextStep });
}

/** FINGERPRINT_MISMATCH; does not reveal the stored value, so that it cannot be obtained by guessing. */
export function mismatchFailure(endpoint: Endpoint): Failed {
  return fail(
    'FINGERPRINT_MISMATCH',
    `The pin of ${endpointName(endpoint)} has another fingerprint than the one given; nothing was changed.`,
    { next_step: 'Call gemini_trust_list, and pass the fingerprint shown there if the user means that pin.' },
  );
}

/** A pin that changed between the question and the answer. */
export function overtakenFailure(endpoint: Endpoint): Failed {
  return fail(
    'FINGERPRINT_MISMATCH',
    `The pin of ${endpointName(endpoint)} was changed by somebody else in the meantime; nothing was changed.`,
    { next_step: 'Call gemini_trust_list and ask the user again.' },
  );
}

/** The question before a pin is removed. */
export function removeQuestion(endpoint: Endpoint, pin: PinRecord): string {
  return (
    `Remove the pinned certificate of ${endpointName(endpoint)} (SHA-256 ${pin.fingerprint}, known since ${isoInstant(pin.firstSeenSeconds * 1000)})? ` +
    'The next connection then trusts whatever certificate the server presents.'
  );
}

/** The question before a pin is made or replaced. */
export function pinQuestion(endpoint: Endpoint, fingerprint: string, replaced: PinRecord | null): string {
  const name = endpointName(endpoint);
  return replaced === null
    ? `Trust only the certificate with SHA-256 ${fingerprint} from ${name}?`
    : `Replace the pinned certificate of ${name} (SHA-256 ${replaced.fingerprint}) by SHA-256 ${fingerprint}?`;
}
