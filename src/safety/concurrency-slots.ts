import type { Clock } from '../common/clock.port.js';
import type { Failure } from '../common/error-codes.js';
import { err, ok, type Result } from '../common/result.js';
import { SlotQueue } from '../common/slot-queue.js';
import { abortedFailure } from './core/aborted.js';
import { slotsTakenFailure } from './core/slow-down.js';

/** Settings of {@link ConcurrencySlots}. */
export interface ConcurrencySlotsOptions {
  /** Requests under way at once; 0 = no limit. */
  readonly maxConcurrent: number;
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** Slots for the requests of one protocol that are under way at once, given out in order of arrival. */
export class ConcurrencySlots {
  readonly #queue: SlotQueue;

  constructor(
    private readonly options: ConcurrencySlotsOptions,
    private readonly clock: Clock,
  ) {
    this.#queue = new SlotQueue(options.maxConcurrent);
  }

  /** Slots that are taken. */
  get taken(): number {
    return this.#queue.taken;
  }

  /** Requests that wait for one. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Slots there are; 0 = no limit. */
  get limit(): number {
    return this.options.maxConcurrent;
  }

  /**
   * Waits for a slot. The value gives it back, once; calls after the first do nothing.
   *
   * SLOW_DOWN, reason `own_pacing`, after `maxWaitMs` in vain; FETCH_ERROR when `signal` aborts.
   */
  acquire(signal: AbortSignal, maxWaitMs: number): Promise<Result<() => void, Failure>> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve(err(abortedFailure(signal, WAITING)));
        return;
      }
      const ticket = this.#queue.enter(() => finish(null));
      if (ticket.granted) {
        resolve(ok(ticket.leave));
        return;
      }
      const cancelTimer = this.clock.setTimer(maxWaitMs, () => finish(slotsTakenFailure(this.options.variablePrefix)));
      signal.addEventListener('abort', onAbort, { once: true });

      function onAbort(): void {
        finish(abortedFailure(signal, WAITING));
      }
      function finish(failure: Failure | null): void {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        if (failure) ticket.leave();
        resolve(failure ? err(failure) : ok(ticket.leave));
      }
    });
  }
}

const WAITING = 'Waiting for a slot';
