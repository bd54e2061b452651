/**
 * Every failure a caller can see: the stable codes, the closed list of reasons, and the value that carries them.
 * Callers match on `code`; `message` is ours and free to change; a peer's own words live in `meta` alone.
 */
import { err } from './result.js';

/** Stable codes, with whose fault each one is. `docs/errors.md` is generated from this table. */
export const ERROR_CODES = {
  INVALID_REQUEST: { origin: 'caller', meaning: 'The request cannot be sent as it stands.' },
  BLOCKED: { origin: 'policy', meaning: 'The address class or the port is refused by policy.' },
  DNS_ERROR: { origin: 'peer', meaning: 'The host name does not resolve.' },
  FETCH_ERROR: { origin: 'peer', meaning: 'The exchange did not complete.' },
  NOT_FETCHABLE: { origin: 'caller', meaning: 'An interactive Gopher item that needs another client.' },
  GOPHER_ERROR: { origin: 'peer', meaning: 'The Gopher server answered with an error line.' },
  BLOCKED_BY_ROBOTS: { origin: 'policy', meaning: "The host's robots.txt refuses automated access." },
  ROBOTS_UNAVAILABLE: { origin: 'peer', meaning: "The host's robots.txt could not be read." },
  SLOW_DOWN: { origin: 'policy', meaning: 'The next request to this host would have to wait too long.' },
  TLS_ERROR: { origin: 'peer', meaning: 'The TLS connection failed.' },
  PROTOCOL_ERROR: { origin: 'peer', meaning: 'The response breaks the protocol.' },
  INVALID_REDIRECT: { origin: 'peer', meaning: 'The redirect target cannot be followed.' },
  INVALID_STATUS: { origin: 'peer', meaning: 'The status is outside the defined range.' },
  TEMPORARY_ERROR: { origin: 'peer', meaning: 'The capsule reports a temporary failure (status 40-49).' },
  PERMANENT_ERROR: { origin: 'peer', meaning: 'The capsule reports a permanent failure (status 50-59).' },
  CONTENT_FILTERED: { origin: 'policy', meaning: 'The media type is on the deny list.' },
  CERTIFICATE_CHANGED: { origin: 'peer', meaning: 'The certificate differs from the pinned one.' },
  CERTIFICATE_EXPIRED: { origin: 'peer', meaning: 'The certificate has expired and the policy refuses that.' },
  CERTIFICATE_NOT_YET_VALID: { origin: 'peer', meaning: 'The certificate is not valid yet.' },
  CERTIFICATE_UNVERIFIED: { origin: 'peer', meaning: 'The server presented no certificate to pin.' },
  CERTIFICATE_STORE_UNAVAILABLE: { origin: 'local', meaning: 'Pins or identities cannot be read or written.' },
  TOFU_DISABLED: { origin: 'policy', meaning: 'Trust on first use is turned off.' },
  CLIENT_CERTS_DISABLED: { origin: 'policy', meaning: 'Client identities are turned off.' },
  FINGERPRINT_MISMATCH: { origin: 'caller', meaning: 'The fingerprint is not the stored one.' },
  CERTIFICATE_EXISTS: { origin: 'caller', meaning: 'An identity already covers the scope.' },
  USER_DECLINED: { origin: 'caller', meaning: 'The person asked did not agree.' },
  UNAUTHORIZED: { origin: 'caller', meaning: 'The caller does not show who it is, or not in a way that counts.' },
  AUTHENTICATION_UNAVAILABLE: { origin: 'local', meaning: 'Who is calling cannot be found out at the moment.' },
  FORBIDDEN: { origin: 'policy', meaning: 'The caller is not allowed to do this.' },
  QUOTA_EXCEEDED: {
    origin: 'policy',
    meaning: 'The caller, or all callers of its tenant, asked for too much in this minute.',
  },
  OVERLOADED: { origin: 'local', meaning: 'More calls are under way than this server takes at once.' },
} as const satisfies Record<string, { origin: FailureOrigin; meaning: string }>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Whose fault a failure is. */
export type FailureOrigin = 'caller' | 'peer' | 'policy' | 'local';

/** What exactly went wrong, next to the code. Closed: new members are added here first. */
export const FAILURE_REASONS = [
  'timeout',
  'refused',
  'unreachable',
  'reset',
  'too_large',
  'malformed',
  'not_tls',
  'tls_version',
  'own_pacing',
  'host_asked',
  'address_class',
  'port',
  'host_not_allowed',
  'argument',
  'cancelled',
  'internal',
  'subject_quota',
  'tenant_quota',
  'queue_full',
  'queue_wait',
] as const;

/** A member of {@link FAILURE_REASONS}. */
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Facts beyond code and message that the error payload carries, named as on the wire. */
export interface FailureFacts {
  readonly reason?: FailureReason;
  /** What a person or a model can do next; ours, never the peer's words. */
  readonly next_step?: string;
  /** The peer's own words, sanitised; untrusted. */
  readonly meta?: string;
  /** Gemini status, 10..69. */
  readonly status?: number;
  readonly temporary?: boolean;
  /** Seconds, one decimal. */
  readonly retry_after_seconds?: number;
  readonly mimeType?: string;
  readonly mime_type?: string;
  readonly pinned_fingerprint?: string;
  readonly presented_fingerprint?: string;
  /** ISO-8601 UTC. */
  readonly first_seen?: string;
  readonly pinned_expired?: boolean;
  /** Whether the public key is the pinned one; null when unknown. */
  readonly same_key?: boolean | null;
}

/** An expected failure as a value. */
export interface Failure {
  readonly code: ErrorCode;
  /** What happened, to what; names the host or the setting, never a resolved address, a local path or library text. */
  readonly message: string;
  readonly facts: FailureFacts;
  /** For the log only; never reaches a result. */
  readonly cause?: unknown;
}

/** Makes a {@link Failure}. */
export function failure(code: ErrorCode, message: string, facts: FailureFacts = {}, cause?: unknown): Failure {
  return cause === undefined ? { code, message, facts } : { code, message, facts, cause };
}

/** Makes the failed side of a Result. */
export function fail(
  code: ErrorCode,
  message: string,
  facts: FailureFacts = {},
  cause?: unknown,
): { readonly ok: false; readonly error: Failure } {
  return err(failure(code, message, facts, cause));
}
