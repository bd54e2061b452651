import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MAX_NAMES, memoryCounter } from '../../../../src/auth/io/limiter-counters.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a count in memory', () => {
  test('starts with the first use, ends a minute later, and belongs to one name and limit', async () => {
    const counter = memoryCounter();
    expect(await counter.spend('a', 2, 3)).toEqual({ isWithin: true, resetInMs: 60_000 });
    jest.advanceTimersByTime(20_000);
    expect(await counter.spend('a', 2, 3)).toEqual({ isWithin: false, resetInMs: 40_000 });
    expect(await counter.spend('b', 3, 3)).toMatchObject({ isWithin: true });
    expect(await counter.spend('a', 2, 2)).toMatchObject({ isWithin: true });
    jest.advanceTimersByTime(40_001);
    expect(await counter.spend('a', 3, 3)).toMatchObject({ isWithin: true });
  });

  test('keeps only so many names apart', async () => {
    const counter = memoryCounter();
    for (let i = 0; i < MAX_NAMES; i++) await counter.spend(`name ${i}`, 1, 1);
    expect(await counter.spend('one more', 1, 1)).toMatchObject({ isWithin: true });
    expect(await counter.spend('and another', 1, 1)).toMatchObject({ isWithin: false });
    jest.advanceTimersByTime(60_001);
    expect(await counter.spend('and another', 1, 1)).toMatchObject({ isWithin: true });
  });
});
