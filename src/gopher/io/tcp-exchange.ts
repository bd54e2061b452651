/**
 * One connection: connect, send the request, read the answer.
 *
 * All listeners are there from the start, so no event of the socket can be missed or go unhandled. The first event that
 * settles the exchange clears its timers, lets go of the signal and destroys the socket; whatever comes later is ignored.
 */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../common/clock.port.js';
import { QUIET_MS, ResponseReader, type Ending, type ReadBody } from '../core/response-reader.js';
import type { GopherDial } from '../gopher-dialer.port.js';

/** How an exchange with one address ended. */
export type TcpOutcome =
  | ({ readonly kind: 'body' } & ReadBody)
  /** No connection came about; another address may do. */
  | { readonly kind: 'unconnected'; readonly cause: unknown }
  /** The connection failed before the answer was complete. */
  | { readonly kind: 'broken'; readonly cause: unknown }
  /** The deadline passed, or the caller went away, before anything usable arrived. */
  | { readonly kind: 'aborted' };

/** Why a connection attempt was given up for the next address. */
export class ConnectTimeout extends Error {
  constructor() {
    super('no connection in the time of this address');
    this.name = 'ConnectTimeout';
  }
}

/**
 * Runs one exchange. The deadline's signal must not have aborted yet.
 *
 * @param connectMs time to connect, then the attempt is `unconnected`; null leaves it all to the deadline
 */
export function exchangeOverTcp(
  dial: GopherDial,
  address: GopherDial['addresses'][number],
  connectMs: number | null,
  clock: Clock,
): Promise<TcpOutcome> {
  return new Promise((resolve) => new TcpExchange(dial, address, clock, resolve).start(connectMs));
}

class TcpExchange {
  readonly #reader: ResponseReader;
  readonly #socket: Socket;
  #connected = false;
  #settled = false;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly dial: GopherDial,
    address: GopherDial['addresses'][number],
    private readonly clock: Clock,
    private readonly resolve: (outcome: TcpOutcome) => void,
  ) {
    this.#reader = new ResponseReader(dial.framing, dial.maxBytes);
    this.#socket = connect({
      // An address literal: nothing is looked up.
      host: address.address,
      family: address.family,
      port: dial.port,
      noDelay: true,
      // The handle must outlive the end of the answer: see #onEnd.
      allowHalfOpen: true,
    });
  }

  start(connectMs: number | null): void {
    const { signal } = this.dial.deadline;
    this.#socket
      .on('connect', this.#onConnect)
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', (cause) => this.#onError(cause))
      // A socket that closes without any other event.
      .on('close', () => this.#onError(undefined));
    if (connectMs !== null) {
      this.#cancelTimer = this.clock.setTimer(connectMs, () => this.#onError(new ConnectTimeout()));
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onConnect = (): void => {
    this.#connected = true;
    this.#clearTimer();
    this.#socket.write(this.dial.request);
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#settled) return;
    this.#clearTimer();
    switch (this.#reader.push(chunk)) {
      case 'more':
        return;
      case 'silence':
        this.#cancelTimer = this.clock.setTimer(QUIET_MS, () => this.#finish('silence'));
        return;
      case 'done':
        this.#finish('closed');
    }
  };

  /**
   * When data and a reset arrive together, Node reports an end instead of an error. The kernel knows better: a connection
   * that was reset has no peer any more, one that was closed by the other side still has. Node keeps the peer's
   * address once it was read, so nothing may read it earlier.
   */
  readonly #onEnd = (): void => this.#finish(this.#socket.remoteAddress === undefined ? 'broken' : 'closed');

  readonly #onAbort = (): void => {
    if (this.dial.deadline.end === 'cancelled') this.#settle({ kind: 'aborted' });
    else this.#finish('expired');
  };

  #onError(cause: unknown): void {
    if (this.#connected) this.#finish('broken', cause);
    else this.#settle({ kind: 'unconnected', cause });
  }

  #finish(ending: Ending, cause?: unknown): void {
    const read = this.#reader.finish(ending);
    if (read) this.#settle({ kind: 'body', ...read });
    else this.#settle(ending === 'expired' ? { kind: 'aborted' } : { kind: 'broken', cause });
  }

  #settle(outcome: TcpOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#clearTimer();
    this.dial.deadline.signal.removeEventListener('abort', this.#onAbort);
    this.#socket.destroy();
    this.resolve(outcome);
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
