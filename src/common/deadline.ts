/**
 * The wire-time budget of one fetch and the signal that ends it.
 *
 * One Deadline is made at the tool call and passed down explicitly. DNS, connect, TLS, the pin write, sending, reading
 * and the robots probe are charged to it; waiting for a pacing slot or a concurrency slot is not: such waits run inside
 * {@link Deadline.paused}. When the budget is spent, or the caller goes away, the one `signal` aborts and whoever
 * holds a socket destroys it at once.
 *
 * Signal and timer are made when somebody first asks for the signal: a fetch that is answered from the cache needs neither.
 */
import type { Clock } from './clock.port.js';
import { failure, type Failure } from './error-codes.js';

/** Why a deadline's signal aborted. */
export type DeadlineEnd = 'expired' | 'cancelled';

/** Thrown (as the signal's reason) through I/O that a deadline ended; {@link Deadline.failure} turns it into a value. */
export class DeadlineError extends Error {
  constructor(readonly end: DeadlineEnd) {
    super(end === 'expired' ? 'wire-time budget spent' : 'caller went away');
    this.name = 'DeadlineError';
  }
}

/** A running budget. Call {@link dispose} when the fetch is over, whatever its end. */
export class Deadline {
  readonly #clock: Clock;
  readonly #caller: AbortSignal | undefined;
  #leftMs: number;
  #runningSinceMs: number | undefined;
  #controller: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #pauses = 0;
  #disposed = false;

  /**
   * @param budgetMs wire time, > 0
   * @param caller aborts the fetch when the caller cancels or disconnects
   * @param whole the deadline that this one is a share of: it stands still whenever this one does
   * @param statedMs the budget that messages name: what the operator set, where part of it was spent before
   */
  constructor(
    clock: Clock,
    readonly budgetMs: number,
    caller?: AbortSignal,
    private readonly whole?: Deadline,
    readonly statedMs = budgetMs,
  ) {
    this.#clock = clock;
    this.#leftMs = budgetMs;
    this.#caller = caller;
    this.#runningSinceMs = clock.monotonicMs();
  }

  /** Aborts when the budget is spent or the caller goes away; its reason is a {@link DeadlineError}. */
  get signal(): AbortSignal {
    return (this.#controller ?? this.#watched()).signal;
  }

  /** Wire time left, in milliseconds, never negative. */
  get remainingMs(): number {
    const spentMs = this.#runningSinceMs === undefined ? 0 : this.#clock.monotonicMs() - this.#runningSinceMs;
    return Math.max(0, this.#leftMs - spentMs);
  }

  /** Whether the signal has aborted, and why. */
  get end(): DeadlineEnd | undefined {
    if (this.#controller === undefined) {
      if (this.#caller?.aborted) return this.#endOfCaller();
      return this.remainingMs > 0 ? undefined : 'expired';
    }
    const { signal } = this.#controller;
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    return reason instanceof DeadlineError ? reason.end : undefined;
  }

  /**
   * Runs `wait` with the budget standing still, and the one it is a part of as well; cancellation by the caller still
   * reaches it through the signal.
   */
  paused<T>(wait: () => Promise<T>): Promise<T> {
    return this.whole ? this.whole.paused(() => this.#paused(wait)) : this.#paused(wait);
  }

  async #paused<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.#stop();
    try {
      return await (this.whole ? this.whole.paused(wait) : wait());
    } finally {
      if (--this.#pauses === 0 && !this.#controller?.signal.aborted) this.#start();
    }
  }

  /** A part of this budget: at most `shareMs`, charged here as well, ended when this one ends. */
  share(shareMs: number): Deadline {
    return new Deadline(this.#clock, Math.max(1, Math.min(shareMs, this.remainingMs)), this.signal, this);
  }

  /** What a caller is told when this deadline ended the work: FETCH_ERROR with reason `timeout` or `cancelled`. */
  failure(what: string): Failure {
    return this.end === 'cancelled'
      ? failure('FETCH_ERROR', `${what} was cancelled by the caller.`, { reason: 'cancelled' })
      : failure('FETCH_ERROR', `${what} did not finish within ${this.statedMs / 1000} seconds.`, {
          reason: 'timeout',
          next_step: 'Try once more later; if it keeps failing, the server is slow or down.',
        });
  }

  /** Stops the timer and lets go of the caller's signal. */
  dispose(): void {
    this.#disposed = true;
    this.#stop();
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  /** Begins to watch for the end. */
  #watched(): AbortController {
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#disposed) return controller;
    if (this.#caller?.aborted) this.#onCallerAbort();
    else {
      this.#caller?.addEventListener('abort', this.#onCallerAbort, { once: true });
      if (this.#pauses === 0) this.#start();
    }
    return controller;
  }

  /** A caller that is itself a deadline which ran out makes this one run out; anything else is a cancellation. */
  #endOfCaller(): DeadlineEnd {
    const reason: unknown = this.#caller?.reason;
    return reason instanceof DeadlineError ? reason.end : 'cancelled';
  }

  readonly #onCallerAbort = (): void => this.#end(this.#endOfCaller());

  #start(): void {
    this.#leftMs = this.remainingMs;
    this.#runningSinceMs = this.#clock.monotonicMs();
    if (this.#controller) this.#cancelTimer = this.#clock.setTimer(this.#leftMs, () => this.#end('expired'));
  }

  #stop(): void {
    this.#leftMs = this.remainingMs;
    this.#runningSinceMs = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #end(end: DeadlineEnd): void {
    this.dispose();
    if (end === 'expired') this.#leftMs = 0;
    this.#controller?.abort(new DeadlineError(end));
  }
}
