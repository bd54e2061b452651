/**
 * How late the timers of this process fire: the time that every call has to wait for the others. Measured by a timer, since a look at
 * one moment would see nothing of what was a moment ago.
 */
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';

/** Time between two samples, in milliseconds. */
export const SAMPLE_EVERY_MS = 500;

/** Samples that are looked at: about five seconds, so that one long pause alone says little. */
const SAMPLES = 10;

/** See the file's header. */
@Injectable()
export class EventLoopDelay implements OnModuleInit, OnModuleDestroy {
  readonly #delaysMs: number[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(@Inject(Clock) private readonly clock: Clock) {}

  /** Mean of the last samples, in milliseconds; 0 before the first. */
  get meanMs(): number {
    if (this.#delaysMs.length === 0) return 0;
    return this.#delaysMs.reduce((sum, delayMs) => sum + delayMs, 0) / this.#delaysMs.length;
  }

  onModuleInit(): void {
    this.#schedule();
  }

  onModuleDestroy(): void {
    this.#cancelTimer?.();
  }

  #schedule(): void {
    const dueMs = this.clock.monotonicMs() + SAMPLE_EVERY_MS;
    this.#cancelTimer = this.clock.setTimer(SAMPLE_EVERY_MS, () => {
      this.#delaysMs.push(Math.max(0, this.clock.monotonicMs() - dueMs));
      if (this.#delaysMs.length > SAMPLES) this.#delaysMs.shift();
      this.#schedule();
    });
  }
}
