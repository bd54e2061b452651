import type { Clock } from '../../src/common/clock.port.js';

interface FakeTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Time that passes only when a test says so. Wall clock and monotonic clock move together; `jumpWallClock` parts them. */
export class FakeClock implements Clock {
  readonly #timers = new Set<FakeTimer>();
  #monotonicMs = 0;
  #wallOffsetMs: number;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#wallOffsetMs = startMs;
  }

  nowMs(): number {
    return this.#wallOffsetMs + this.#monotonicMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Timers that have neither fired nor been cancelled: zero at the end of a test, or something leaks. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves the wall clock alone, as an operator or a time server does. */
  jumpWallClock(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  /** Lets `ms` pass at once: timers due fire in order, each at its own time; what they resolve runs after this returns. */
  advance(ms: number): void {
    const untilMs = this.#monotonicMs + ms;
    while (this.#fireNext(untilMs));
    this.#monotonicMs = untilMs;
  }

  /** Lets `ms` pass, and lets everything that a timer resolves run before time goes on. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#monotonicMs + ms;
    await settled();
    while (this.#fireNext(untilMs)) await settled();
    this.#monotonicMs = untilMs;
    await settled();
  }

  #fireNext(untilMs: number): boolean {
    let next: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= untilMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#monotonicMs = Math.max(this.#monotonicMs, next.dueMs);
    next.callback();
    return true;
  }
}

/** Resolves when all promises that can settle without time or I/O have done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
