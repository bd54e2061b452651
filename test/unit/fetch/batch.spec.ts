import { getEventListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { BATCH_WIDTH, runBatch } from '../../../src/fetch/batch.js';

const NUMBERS = Array.from({ length: 50 }, (_, index) => index);
const never = new AbortController().signal;

describe('a batch', () => {
  test('gives the results in the order of the items, whichever is done first', async () => {
    const finished: number[] = [];
    const results = await runBatch(
      NUMBERS,
      never,
      async (item) => {
        for (let turn = item % 7; turn > 0; turn--) await Promise.resolve();
        return item * 2;
      },
      (count) => finished.push(count),
    );
    expect(results).toEqual(NUMBERS.map((item) => item * 2));
    expect(finished).toEqual(NUMBERS.map((index) => index + 1));
  });

  test('runs so many jobs at once and no more', async () => {
    let [running, most] = [0, 0];
    const run = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    await runBatch(NUMBERS, never, run, () => undefined);
    expect(most).toBe(BATCH_WIDTH);
  });

  test('has one listener at the signal of its caller, and none in the end', async () => {
    const caller = new AbortController();
    const listeners: number[] = [];
    const run = async (_: number, signal: AbortSignal): Promise<void> => {
      signal.addEventListener('abort', () => undefined, { once: true });
      listeners.push(getEventListeners(caller.signal, 'abort').length);
      await Promise.resolve();
    };
    await runBatch(NUMBERS.slice(0, BATCH_WIDTH), caller.signal, run, () => undefined);
    expect(Math.max(...listeners)).toBe(1);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  test.each(['before', 'meanwhile'])('that is cancelled %s tells every job, with the reason', async (when) => {
    const caller = new AbortController();
    const reason = new Error('gone');
    if (when === 'before') caller.abort(reason);
    const run = async (_: number, signal: AbortSignal): Promise<unknown> => {
      await Promise.resolve();
      caller.abort(reason);
      return signal.reason;
    };
    expect(new Set(await runBatch(NUMBERS, caller.signal, run, () => undefined))).toEqual(new Set([reason]));
  });
});
