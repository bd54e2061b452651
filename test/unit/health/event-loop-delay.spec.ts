import { expect, test } from '@jest/globals';
import { EventLoopDelay, SAMPLE_EVERY_MS } from '../../../src/health/event-loop-delay.js';
import { FakeClock } from '../../support/fake-clock.js';

/** A clock whose timers fire late. */
class LateClock extends FakeClock {
  lateByMs = 0;
  override setTimer(delayMs: number, callback: () => void): () => void {
    return super.setTimer(delayMs + this.lateByMs, callback);
  }
}

function started(): { clock: LateClock; delay: EventLoopDelay } {
  const clock = new LateClock();
  const delay = new EventLoopDelay(clock);
  delay.onModuleInit();
  return { clock, delay };
}

test('timers that fire in time are no delay', () => {
  const { clock, delay } = started();
  expect(delay.meanMs).toBe(0);
  clock.advance(10 * SAMPLE_EVERY_MS);
  expect(delay.meanMs).toBe(0);
});

test('one long pause counts for its share of the last ten samples, and is forgotten', () => {
  const { clock, delay } = started();
  clock.advance(9 * SAMPLE_EVERY_MS);
  clock.lateByMs = 3000;
  clock.advance(SAMPLE_EVERY_MS);
  clock.lateByMs = 0;
  clock.advance(3000 + SAMPLE_EVERY_MS);
  expect(delay.meanMs).toBe(300);
  clock.advance(10 * SAMPLE_EVERY_MS);
  expect(delay.meanMs).toBe(0);
});

test('a loop that is always late shows by how much', () => {
  const { clock, delay } = started();
  clock.lateByMs = 1500;
  clock.advance(60_000);
  expect(delay.meanMs).toBe(1500);
});

test('nothing is measured after the end', () => {
  const { clock, delay } = started();
  delay.onModuleDestroy();
  expect(clock.pendingTimers).toBe(0);
});
