import type { Clock } from '../../src/common/clock.port.js';

/**
 * Durations pass `factor` times as fast as they should; instants are the real ones, as files have them. For waits beside real
 * I/O, which a {@link FakeClock} would outrun.
 */
export class HurriedClock implements Clock {
  constructor(private readonly factor: number) {}

  nowMs(): number {
    return Date.now();
  }

  monotonicMs(): number {
    return performance.now() * this.factor;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs / this.factor);
    return () => clearTimeout(timer);
  }
}
