import { describe, expect, test } from '@jest/globals';
import {
  clampPauseSeconds,
  hostAskedFailure,
  namedPauseSeconds,
  nextUnnamedPause,
  ownPacingFailure,
  toRetryAfterSeconds,
  type UnnamedPause,
} from '../../../../src/safety/core/slow-down.js';

describe('the seconds a host names', () => {
  test.each<[string, number | null]>([
    ['20', 20],
    [' 20 ', 20],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['+7', 7],
    ['1e2', 100],
    ['300', 300],
    ['301', 300],
    ['1e9', 300],
    ['1e999', 300],
    ['inf', 300],
    ['Infinity', 300],
    ['+inf', 300],
    ['', null],
    ['0', null],
    ['-5', null],
    ['-inf', null],
    ['nan', null],
    ['soon', null],
    ['30 seconds', null],
    ['0x1f', null],
    ['0b1', null],
    ['1_000', null],
    ['++7', null],
    ['e', null],
    ['1'.repeat(1024), 300],
    ['١٢', null],
  ])('%j mean %p', (field, seconds) => {
    expect(namedPauseSeconds(field)).toBe(seconds);
  });
});

test.each([
  [20, 20],
  [301, 300],
  [Number.POSITIVE_INFINITY, 300],
  [Number.NEGATIVE_INFINITY, 0],
  [Number.NaN, 0],
  [-1, 0],
  [0, 0],
])('a pause of %p seconds counts as %p', (seconds, counted) => {
  expect(clampPauseSeconds(seconds)).toBe(counted);
});

describe('pauses that no number names', () => {
  test('double up to five minutes, each after the one before has run out', () => {
    const seen: number[] = [];
    let pause: UnnamedPause | undefined;
    let nowMs = 0;
    for (let i = 0; i < 7; i++) {
      pause = nextUnnamedPause(pause, nowMs);
      seen.push(pause.seconds);
      nowMs = pause.endsAtMs;
    }
    expect(seen).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  test('stay as they are while one is running', () => {
    const pause = nextUnnamedPause(undefined, 0);
    expect(nextUnnamedPause(pause, 14_999)).toEqual({ seconds: 15, endsAtMs: 29_999 });
  });
});

test.each([
  [20_000, 20],
  [1, 0.1],
  [1900, 1.9],
  [1901, 2],
  [0, 0],
])('%p ms are told as %p s: one decimal, never too early', (ms, seconds) => {
  expect(toRetryAfterSeconds(ms)).toBe(seconds);
});

test('a refusal says whose demand it is', () => {
  const host = hostAskedFailure('a.test', 12_345);
  const own = ownPacingFailure('a.test', 12_345, 'GEMINI_');
  expect(host).toMatchObject({ code: 'SLOW_DOWN', facts: { reason: 'host_asked', retry_after_seconds: 12.4 } });
  expect(own).toMatchObject({ code: 'SLOW_DOWN', facts: { reason: 'own_pacing', retry_after_seconds: 12.4 } });
  expect(host.message).toContain('a.test asked');
  expect(own.message).toContain('GEMINI_MAX_WAIT_SECONDS');
});
