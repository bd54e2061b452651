/**
 * Errors of sockets and of OpenSSL as failures, by their codes. This is the only place that knows those codes; their texts
 * are kept as the cause, for the log.
 */
import { failure, type Failure, type FailureReason } from '../../common/error-codes.js';

/** Why an attempt was given up for the next address. */
export class AttemptTimeout extends Error {
  constructor() {
    super('no TLS connection in the time of this address');
    this.name = 'AttemptTimeout';
  }
}

/** Where a connection stood when it failed. */
export type TlsPhase =
  /** TCP or TLS was still being set up. */
  | 'handshake'
  /** It was set up; the request may have been sent. */
  | 'exchange';

/**
 * What a caller is told about an error of a connection. FETCH_ERROR for the network, TLS_ERROR for what TLS itself refuses;
 * a connection that is broken off is the network's, wherever it stood.
 *
 * @param place host and port, for the message
 * @param cause what Node reported; undefined for a connection that closed without a word
 */
export function connectionFailure(place: string, phase: TlsPhase, cause: unknown): Failure {
  const code = codeOf(cause);
  const reason = cause instanceof AttemptTimeout ? 'timeout' : NETWORK_REASONS.get(code);
  if (reason !== undefined) {
    const { what, next } = phase === 'exchange' && reason === 'reset' ? BROKEN_OFF : NETWORK_WORDS[reason];
    return failure('FETCH_ERROR', `${place} ${what}.`, { reason, next_step: next }, cause);
  }
  if (!TLS_CODE.test(code)) {
    return failure('FETCH_ERROR', `The connection to ${place} failed.`, { reason: 'internal' }, cause);
  }
  if (phase === 'handshake' && NOT_TLS.test(code)) {
    const next = 'Check the port: another kind of server is listening there.';
    return failure('TLS_ERROR', `${place} does not speak TLS.`, { reason: 'not_tls', next_step: next }, cause);
  }
  if (OLD_TLS.test(code)) {
    const next = 'Tell the user; the server has to be updated.';
    const message = `${place} offers no version of TLS that is safe enough; 1.2 is the least.`;
    return failure('TLS_ERROR', message, { reason: 'tls_version', next_step: next }, cause);
  }
  if (code.endsWith('ALERT_CERTIFICATE_REQUIRED')) {
    const next =
      'Ask the user whether to create a client identity for this capsule (gemini_client_cert_update), then fetch again.';
    return failure('TLS_ERROR', `${place} demands a client certificate.`, { next_step: next }, cause);
  }
  const next = 'Try once more later; if it keeps failing, the fault is in the set-up of the server.';
  return failure('TLS_ERROR', `The TLS connection to ${place} failed.`, { next_step: next }, cause);
}

/** TLS_ERROR: the certificate or the key of a client identity cannot be used. */
export function identityFailure(place: string, cause: unknown): Failure {
  return failure(
    'TLS_ERROR',
    `The client identity for ${place} cannot be used: its certificate and its key are damaged or do not fit.`,
    { next_step: 'With the consent of the user, remove it with gemini_client_cert_update and create a new one.' },
    cause,
  );
}

type NetworkReason = Extract<FailureReason, 'timeout' | 'refused' | 'unreachable' | 'reset'>;

const NETWORK_REASONS: ReadonlyMap<string, NetworkReason> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EAFNOSUPPORT', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['EINVAL', 'unreachable'],
]);

interface Words {
  readonly what: string;
  readonly next: string;
}

const NETWORK_WORDS: Readonly<Record<NetworkReason, Words>> = {
  refused: {
    what: 'refused the connection',
    next: 'Check the port; if it is right, the server is down: try once more later.',
  },
  unreachable: {
    what: 'cannot be reached',
    next: 'Try once more later; if it keeps failing, the host is down.',
  },
  timeout: {
    what: 'did not accept the connection in time',
    next: 'Try once more later; if it keeps failing, the host is slow or down.',
  },
  reset: {
    what: 'broke off the connection before TLS was set up',
    next: 'Check the port; if it is right, try once more later.',
  },
};

const BROKEN_OFF: Words = {
  what: 'broke off the connection before the answer was complete',
  next: 'Try once more; if it keeps failing, the server cannot deliver this page.',
};

/** Codes of Node's TLS layer (ERR_TLS_...) and of OpenSSL (ERR_SSL_..., ERR_OSSL_...). */
const TLS_CODE = /^ERR_(TLS|SSL|OSSL)_/;

/** What bytes that are no TLS record look like to OpenSSL. */
const NOT_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|BAD_RECORD_TYPE|RECORD_LAYER_FAILURE/;

const OLD_TLS = /UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW|NO_PROTOCOLS_AVAILABLE/;

function codeOf(cause: unknown): string {
  if (cause === undefined) return 'ECONNRESET';
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : '';
}
