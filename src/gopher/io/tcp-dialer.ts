/**
 * Gopher over TCP: the vetted addresses one after the other until one connects.
 *
 * An address that refuses, cannot be reached or does not answer within its share of the time gives way to the next; once
 * connected there is no second try, since the request may have been seen. Errors of Node's become failures here and
 * nowhere else.
 */
import type { Clock } from '../../common/clock.port.js';
import { failure, type Failure, type FailureReason } from '../../common/error-codes.js';
import type { GopherDial, GopherDialer, GopherTransfer } from '../gopher-dialer.port.js';
import { ConnectTimeout, exchangeOverTcp } from './tcp-exchange.js';

/** Dials with `node:net`; one fresh connection per request. */
export class NodeTcpDialer implements GopherDialer {
  constructor(private readonly clock: Clock) {}

  async dial(dial: GopherDial): Promise<GopherTransfer> {
    const { addresses, deadline } = dial;
    let cause: unknown;
    for (const [index, address] of addresses.entries()) {
      if (deadline.signal.aborted) return aborted(dial);
      const others = addresses.length - index - 1;
      const connectMs = others === 0 ? null : deadline.remainingMs / (others + 1);
      const outcome = await exchangeOverTcp(dial, address, connectMs, this.clock);
      switch (outcome.kind) {
        case 'body':
          return outcome;
        case 'aborted':
          return aborted(dial);
        case 'broken':
          return { kind: 'failure', failure: connectionFailure(dial, 'reset', outcome.cause) };
        case 'unconnected':
          cause = outcome.cause;
      }
    }
    return { kind: 'failure', failure: connectionFailure(dial, reasonOf(cause), cause) };
  }
}

function aborted(dial: GopherDial): GopherTransfer {
  return { kind: 'failure', failure: dial.deadline.failure(`The request to ${place(dial)}`) };
}

type ConnectionReason = Extract<FailureReason, 'timeout' | 'refused' | 'unreachable' | 'reset'>;

/** Class of a connect error, by the code of the operating system. */
function reasonOf(cause: unknown): ConnectionReason {
  if (cause instanceof ConnectTimeout) return 'timeout';
  switch (codeOf(cause)) {
    case 'ECONNREFUSED':
      return 'refused';
    case 'ETIMEDOUT':
      return 'timeout';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'reset';
    default:
      return 'unreachable';
  }
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

function connectionFailure(dial: GopherDial, reason: ConnectionReason, cause: unknown): Failure {
  const { what, nextStep } = WORDS[reason];
  return failure('FETCH_ERROR', `${place(dial)} ${what}.`, { reason, next_step: nextStep }, cause);
}

function place({ host, port }: GopherDial): string {
  return `${host} on port ${port}`;
}

const WORDS: Readonly<Record<ConnectionReason, { readonly what: string; readonly nextStep: string }>> = {
  refused: {
    what: 'refused the connection',
    nextStep: 'Check the port; if it is right, the server is down: try once more later.',
  },
  unreachable: {
    what: 'cannot be reached',
    nextStep: 'Try once more later; if it keeps failing, the host is down.',
  },
  timeout: {
    what: 'did not accept the connection in time',
    nextStep: 'Try once more later; if it keeps failing, the host is slow or down.',
  },
  reset: {
    what: 'broke off the connection before the answer was complete',
    nextStep: 'Try once more; if it keeps failing, the server cannot deliver this item.',
  },
};
