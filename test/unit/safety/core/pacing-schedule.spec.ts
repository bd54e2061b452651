import { describe, expect, test } from '@jest/globals';
import {
  decideStart,
  extendPause,
  isElapsed,
  UNPACED,
  type HostPace,
  type PaceRequest,
} from '../../../../src/safety/core/pacing-schedule.js';

const NOW = 100_000;

function pace(ownInMs: number, hostInMs: number): HostPace {
  return { nextOwnMs: NOW + ownInMs, nextHostMs: NOW + hostInMs };
}

function request(changes: Partial<PaceRequest> = {}): PaceRequest {
  return {
    intervalMs: 1000,
    ahead: 0,
    waitedMs: 0,
    admitted: false,
    maxOwnWaitMs: 60_000,
    maxHostWaitMs: 30_000,
    ...changes,
  };
}

describe('a start', () => {
  test.each([UNPACED, pace(0, 0), pace(-5, -5)])('is at once when nothing holds it back', (known) => {
    const { decision, pace: next } = decideStart(known, request(), NOW);
    expect(decision).toEqual({ kind: 'start' });
    expect(next.nextOwnMs).toBe(NOW + 1000);
  });

  test('keeps the next one an interval away from itself, not from the time it was due', () => {
    expect(decideStart(pace(-500, 0), request(), NOW).pace.nextOwnMs).toBe(NOW + 1000);
  });

  test.each<[string, HostPace, Partial<PaceRequest>, number]>([
    ['own spacing', pace(400, -1), {}, 400],
    ['the host', pace(-1, 2500), {}, 2500],
    ['whichever is later', pace(400, 2500), {}, 2500],
    ['whichever is later, the other way round', pace(2500, 400), {}, 2500],
    ['two in line before it', pace(400, 0), { ahead: 2 }, 2400],
    ['one in line before it, without spacing', pace(0, 0), { ahead: 1, intervalMs: 0 }, 0],
  ])('waits for %s, and reserves nothing meanwhile', (_name, known, changes, waitMs) => {
    const { decision, pace: next } = decideStart(known, request(changes), NOW);
    expect(decision).toEqual({ kind: 'wait', waitMs });
    expect(next).toBe(known);
  });
});

describe('a refusal', () => {
  test.each<[string, HostPace, Partial<PaceRequest>, string, number]>([
    ['own spacing over its limit', pace(60_001, 0), {}, 'own_pacing', 60_001],
    ['a line over the limit', pace(0, 0), { ahead: 61 }, 'own_pacing', 61_000],
    ['no wait allowed', pace(1, 0), { maxOwnWaitMs: 0 }, 'own_pacing', 1],
    ['a pause over its limit', pace(0, 30_001), {}, 'host_asked', 30_001],
    ['a pause over its limit, with a line', pace(0, 30_001), { ahead: 2 }, 'host_asked', 32_001],
    [
      'a pause over its limit, met after waiting',
      pace(0, 30_001),
      { admitted: true, waitedMs: 9 },
      'host_asked',
      30_001,
    ],
    ['pauses that add up over both limits', pace(0, 100), { admitted: true, waitedMs: 59_901 }, 'host_asked', 100],
    ['both over the limit', pace(70_000, 40_000), {}, 'host_asked', 70_000],
  ])('for %s, with the time to come back, and nothing is reserved', (_name, known, changes, reason, retryAfterMs) => {
    const { decision, pace: next } = decideStart(known, request(changes), NOW);
    expect(decision).toEqual({ kind: 'refuse', reason, retryAfterMs });
    expect(next).toBe(known);
  });

  test.each<[string, HostPace, Partial<PaceRequest>]>([
    ['exactly the limit of own spacing', pace(60_000, 0), {}],
    ['exactly the limit for a pause', pace(0, 30_000), {}],
    ['a pause where own spacing may not delay at all', pace(0, 500), { maxOwnWaitMs: 0 }],
    ['a late timer after a wait as long as allowed', pace(900, 0), { admitted: true, waitedMs: 60_000 }],
  ])('is not given for %s', (_name, known, changes) => {
    expect(decideStart(known, request(changes), NOW).decision.kind).toBe('wait');
  });
});

describe('a pause', () => {
  test('begins now and leaves own spacing alone', () => {
    expect(extendPause(pace(400, -1), 5000, NOW)).toEqual(pace(400, 5000));
  });

  test('does not shorten a longer one', () => {
    expect(extendPause(pace(0, 9000), 5000, NOW)).toEqual(pace(0, 9000));
  });

  test('of no length changes nothing', () => {
    expect(extendPause(UNPACED, 0, NOW)).toBe(UNPACED);
  });
});

test('a pace that holds nobody back is elapsed', () => {
  expect([UNPACED, pace(0, 0), pace(1, 0), pace(0, 1)].map((known) => isElapsed(known, NOW))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
