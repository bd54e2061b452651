import { describe, expect, test } from '@jest/globals';
import type { Clock } from '../../../src/common/clock.port.js';
import { Deadline } from '../../../src/common/deadline.js';
import type { Steps } from '../../../src/common/steps.js';
import { inTurns } from '../../../src/common/in-turns.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

/** A run of `count` steps of `eachMs` each. Time passes in the work alone; `turn` lets what waits for the event loop go on. */
class Run {
  readonly caller = new AbortController();
  readonly deadlineClock = new FakeClock();
  readonly result: Promise<string>;
  done = 0;
  #nowMs = 0;
  #waiting: (() => void)[] = [];

  constructor(count: number, eachMs: number) {
    const clock: Clock = {
      nowMs: () => this.#nowMs,
      monotonicMs: () => this.#nowMs,
      setTimer: (_, callback) => {
        this.#waiting.push(callback);
        return () => undefined;
      },
    };
    this.result = inTurns(this.#work(count, eachMs), clock, new Deadline(this.deadlineClock, 1000, this.caller.signal));
    this.result.catch(() => undefined);
  }

  async turn(): Promise<void> {
    for (const callback of this.#waiting.splice(0)) callback();
    await settled();
  }

  *#work(count: number, eachMs: number): Steps<string> {
    for (; this.done < count; this.done++) {
      this.#nowMs += eachMs;
      yield;
    }
    return 'result';
  }
}

describe('work in turns', () => {
  test('that is short runs through', async () => {
    expect(await new Run(100, 0).result).toBe('result');
  });

  test('that is long lets go of the event loop every ten milliseconds', async () => {
    const run = new Run(7, 4);
    const seen = [run.done];
    for (let turn = 0; turn < 2; turn++) {
      await run.turn();
      seen.push(run.done);
    }
    expect(seen).toEqual([2, 5, 7]);
    expect(await run.result).toBe('result');
  });

  test('ends between two turns when the caller has gone', async () => {
    const run = new Run(1000, 4);
    run.caller.abort();
    await run.turn();
    await expect(run.result).rejects.toMatchObject({ end: 'cancelled' });
    expect(run.done).toBe(2);
  });

  test('goes on when the wire time is up: none of it is wire time', async () => {
    const run = new Run(4, 10);
    run.deadlineClock.advance(1000);
    for (let turn = 0; turn < 4; turn++) await run.turn();
    expect(await run.result).toBe('result');
  });
});
