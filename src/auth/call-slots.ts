import type { Clock } from '../common/clock.port.js';
import { failure, type Failure } from '../common/error-codes.js';
import { err, ok, type Result } from '../common/result.js';
import { SlotQueue } from '../common/slot-queue.js';

/** Longest wait of a call for its turn, in milliseconds: most clients give up after a minute. */
export const MAX_QUEUE_WAIT_MS = 30_000;

/** What a client is told to wait after an OVERLOADED, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Settings of {@link CallSlots}. */
export interface CallSlotsOptions {
  /** Calls that run at once, at least 1. */
  readonly maxInFlight: number;
  /** Calls that wait for one of those to end; 0 = none waits. */
  readonly maxQueued: number;
}

/**
 * Room for the calls of the whole process: so many run, so many wait in order of arrival, and whoever comes then is refused at
 * once. What is refused costs next to nothing, so that a server with too much to do goes on answering.
 */
export class CallSlots {
  readonly #queue: SlotQueue;

  constructor(
    private readonly options: CallSlotsOptions,
    private readonly clock: Clock,
  ) {
    this.#queue = new SlotQueue(options.maxInFlight);
  }

  /** Calls that run. */
  get inFlight(): number {
    return this.#queue.taken;
  }

  /** Calls that wait. */
  get queued(): number {
    return this.#queue.waiting;
  }

  /** Whether the next call would be refused. */
  get isFull(): boolean {
    return this.inFlight >= this.options.maxInFlight && this.queued >= this.options.maxQueued;
  }

  /**
   * Takes a place, or waits for one. The value gives it back; calls after the first do nothing.
   *
   * OVERLOADED, reason `queue_full`, or `queue_wait` after {@link MAX_QUEUE_WAIT_MS}; FETCH_ERROR, reason `cancelled`, when `signal`
   * aborts meanwhile.
   */
  enter(signal: AbortSignal): Result<() => void, Failure> | Promise<Result<() => void, Failure>> {
    if (this.isFull) return err(QUEUE_FULL);
    let granted = (): void => undefined;
    const ticket = this.#queue.enter(() => granted());
    if (ticket.granted) return ok(ticket.leave);
    return new Promise((resolve) => {
      const finish = (refusal: Failure | null): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        if (refusal) ticket.leave();
        resolve(refusal ? err(refusal) : ok(ticket.leave));
      };
      const onAbort = (): void => finish(CANCELLED);
      const cancelTimer = this.clock.setTimer(MAX_QUEUE_WAIT_MS, () => finish(WAITED_TOO_LONG));
      granted = () => finish(null);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }
}

const NEXT_STEP = `Call again after ${RETRY_AFTER_SECONDS} seconds, with fewer calls at the same time.`;

/** Refuses a call for which there is no room. */
export const QUEUE_FULL = failure('OVERLOADED', 'The server has as many calls under way and waiting as it takes.', {
  reason: 'queue_full',
  retry_after_seconds: RETRY_AFTER_SECONDS,
  next_step: NEXT_STEP,
});

const WAITED_TOO_LONG = failure(
  'OVERLOADED',
  `The server has more calls under way than it takes; the turn of this one did not come within ${MAX_QUEUE_WAIT_MS / 1000} seconds.`,
  { reason: 'queue_wait', retry_after_seconds: RETRY_AFTER_SECONDS, next_step: NEXT_STEP },
);

const CANCELLED = failure('FETCH_ERROR', 'The call was cancelled while it waited for its turn.', {
  reason: 'cancelled',
});
