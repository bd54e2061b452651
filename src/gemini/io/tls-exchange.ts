/**
 * One connection to one address: connect, handshake, have the certificate judged, send the request, read the answer.
 *
 * All listeners are there from the start, so that no event is missed: data may come before the request is sent, and the
 * stream has to flow when it ends (transport-end.ts). The first event that settles the exchange clears its timers, lets go
 * of the signal and gives the socket up; whatever comes later is ignored.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '../../common/clock.port.js';
import type { Failure } from '../../common/error-codes.js';
import { isIpLiteral } from '../../common/net/host.js';
import { err, ok, type Result } from '../../common/result.js';
import type { ReadEnd } from '../core/response-reader.js';
import type { TlsAnswer, TlsConnection, TlsDial } from '../tls-dialer.port.js';
import { takeServerCertificate } from './server-certificate.js';
import { AttemptTimeout, type TlsPhase } from './tls-failure.js';
import { hasTransportEnded } from './transport-end.js';

/** How long an answer of exactly the largest size may keep the connection open. */
const LAST_CLOSE_MS = 1000;

/** How an exchange with one address ended. */
export type TlsOutcome =
  | { readonly kind: 'settled'; readonly result: Result<TlsAnswer, Failure> }
  /** The connection failed; in the handshake, another address may do. */
  | { readonly kind: 'failed'; readonly phase: TlsPhase; readonly cause: unknown }
  /** The deadline passed, or the caller went away, before anything usable arrived. */
  | { readonly kind: 'aborted' };

/**
 * Runs one exchange.
 *
 * @param handshakeMs time to connect and shake hands, then the attempt has failed; null leaves it all to the deadline
 */
export function exchangeOverTls(
  dial: TlsDial,
  address: TlsDial['addresses'][number],
  secureContext: SecureContext,
  handshakeMs: number | null,
  clock: Clock,
): Promise<TlsOutcome> {
  return new Promise((resolve) => {
    new TlsExchange(dial, address, secureContext, clock, resolve).start(handshakeMs);
  });
}

class TlsExchange {
  readonly #tcp: Socket;
  readonly #tls: TLSSocket;
  /** Set when the handshake is done. */
  #connection: TlsConnection | undefined;
  #admitted = false;
  /** What ended the connection while the certificate was still being judged. */
  #ended: { readonly end: ReadEnd } | { readonly cause: unknown } | undefined;
  #settled = false;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly dial: TlsDial,
    address: TlsDial['addresses'][number],
    secureContext: SecureContext,
    private readonly clock: Clock,
    private readonly resolve: (outcome: TlsOutcome) => void,
  ) {
    // An address literal: nothing is looked up. Without noDelay the request would wait for the handshake's last ACK.
    this.#tcp = connectTcp({ host: address.address, family: address.family, port: dial.port, noDelay: true });
    this.#tls = connectTls({
      socket: this.#tcp,
      secureContext,
      // Certificates are judged by `admit` alone.
      rejectUnauthorized: false,
      // RFC 6066 section 3: a name, never an address.
      ...(isIpLiteral(dial.host) === 0 && { servername: dial.host }),
    });
  }

  start(handshakeMs: number | null): void {
    const { signal } = this.dial.deadline;
    const onError = (cause: unknown): void => this.#onError(cause);
    this.#tcp.on('error', onError);
    this.#tls
      .on('secureConnect', () => this.#onSecure())
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      .on('end', () => this.#onEnd(hasTransportEnded(this.#tcp) ? 'cut' : 'closed'))
      .on('error', onError)
      // A socket that closes without any other event.
      .on('close', () => this.#onError(undefined));
    if (handshakeMs !== null) {
      this.#cancelTimer = this.clock.setTimer(handshakeMs, () => this.#onError(new AttemptTimeout()));
    }
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  #onSecure(): void {
    if (this.#settled) return;
    this.#clearTimer();
    const certificate = takeServerCertificate(this.#tls);
    this.#connection = {
      version: this.#tls.getProtocol() ?? '',
      cipher: this.#tls.getCipher().name,
      fingerprint: certificate?.fingerprint ?? null,
    };
    this.dial.admit(certificate).then(
      (refusal) => (refusal ? this.#settle({ kind: 'settled', result: err(refusal) }) : this.#onAdmitted()),
      (cause: unknown) => this.#settle({ kind: 'failed', phase: 'exchange', cause }),
    );
  }

  /** An answer that came before the request counts as well; then there is nobody left to send it to. */
  #onAdmitted(): void {
    if (this.#settled) return;
    this.#admitted = true;
    if (this.dial.reader.done) this.#finish('closed');
    else if (this.#ended === undefined) this.#tls.write(this.dial.request);
    else if ('end' in this.#ended) this.#finish(this.#ended.end);
    else this.#onError(this.#ended.cause);
  }

  #onData(chunk: Buffer): void {
    if (this.#settled) return;
    this.#clearTimer();
    switch (this.dial.reader.push(chunk)) {
      case 'more':
        return;
      case 'full':
        this.#cancelTimer = this.clock.setTimer(LAST_CLOSE_MS, () => this.#onEnd('overlong'));
        return;
      case 'done':
        if (this.#admitted) this.#finish('closed');
    }
  }

  #onEnd(end: ReadEnd): void {
    // Before the handshake is done, Node reports an error of its own.
    if (!this.#connection) return;
    if (this.#admitted) this.#finish(end);
    else this.#ended ??= { end };
  }

  #onError(cause: unknown): void {
    if (!this.#connection) this.#settle({ kind: 'failed', phase: 'handshake', cause });
    else if (this.#admitted) this.#settle({ kind: 'failed', phase: 'exchange', cause });
    else this.#ended ??= { cause };
  }

  readonly #onAbort = (): void => {
    if (this.#admitted && this.dial.deadline.end === 'expired') this.#finish('expired');
    else this.#settle({ kind: 'aborted' });
  };

  #finish(end: ReadEnd): void {
    const read = this.dial.reader.finish(end);
    if (read === null || !this.#connection) this.#settle({ kind: 'aborted' });
    else if (!read.ok) this.#settle({ kind: 'settled', result: read });
    else this.#settle({ kind: 'settled', result: ok({ connection: this.#connection, response: read.value }) });
  }

  #settle(outcome: TlsOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#clearTimer();
    this.dial.deadline.signal.removeEventListener('abort', this.#onAbort);
    // A served connection is closed as TLS wants it; that is written at once and not waited for.
    if (outcome.kind === 'settled' && outcome.result.ok) this.#tls.destroySoon();
    else this.#tls.destroy();
    if (!this.#connection) this.#tcp.destroy();
    this.resolve(outcome);
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
