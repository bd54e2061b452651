import { describe, expect, test } from '@jest/globals';
import { DeadlineError } from '../../../src/common/deadline.js';
import type { Failure } from '../../../src/common/error-codes.js';
import type { Result } from '../../../src/common/result.js';
import { ConcurrencySlots } from '../../../src/safety/concurrency-slots.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

const MAX_WAIT_MS = 5000;

function setUp(maxConcurrent: number) {
  const clock = new FakeClock();
  const slots = new ConcurrencySlots({ maxConcurrent, variablePrefix: 'GOPHER_' }, clock);
  const acquire = (signal = new AbortController().signal, maxWaitMs = MAX_WAIT_MS) => slots.acquire(signal, maxWaitMs);
  return { clock, acquire };
}

async function held(acquired: Promise<Result<() => void, Failure>>): Promise<() => void> {
  const slot = await acquired;
  if (!slot.ok) throw new Error('no slot');
  return slot.value;
}

describe('slots', () => {
  test('are given out up to the limit, then to whoever waits longest', async () => {
    const { clock, acquire } = setUp(2);
    const first = await held(acquire());
    const second = await held(acquire());
    const order: string[] = [];
    const third = held(acquire()).then((release) => (order.push('third'), release));
    const fourth = held(acquire()).then((release) => (order.push('fourth'), release));
    await settled();
    expect(order).toEqual([]);
    second();
    await third;
    expect(order).toEqual(['third']);
    first();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
    expect(clock.pendingTimers).toBe(0);
  });

  test('are given back once, however often they are', async () => {
    const { clock, acquire } = setUp(1);
    const release = await held(acquire());
    release();
    release();
    await held(acquire());
    const third = acquire();
    await clock.pass(MAX_WAIT_MS);
    expect((await third).ok).toBe(false);
  });

  test('have no limit when it is zero', async () => {
    const { acquire } = setUp(0);
    const all = await Promise.all(Array.from({ length: 500 }, () => acquire()));
    expect(all.every((slot) => slot.ok)).toBe(true);
  });
});

describe('a wait', () => {
  test('ends after its limit with SLOW_DOWN, and takes no slot later', async () => {
    const { clock, acquire } = setUp(1);
    const release = await held(acquire());
    const late = acquire();
    await clock.pass(MAX_WAIT_MS);
    expect(await late).toMatchObject({
      ok: false,
      error: { code: 'SLOW_DOWN', facts: { reason: 'own_pacing', retry_after_seconds: 1 } },
    });
    release();
    expect((await acquire()).ok).toBe(true);
  });

  test.each(['cancelled', 'expired'] as const)('ends with its signal (%s), and takes no slot later', async (end) => {
    const { clock, acquire } = setUp(1);
    const release = await held(acquire());
    const caller = new AbortController();
    const waiting = acquire(caller.signal);
    caller.abort(new DeadlineError(end));
    const reason = end === 'expired' ? 'timeout' : 'cancelled';
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'FETCH_ERROR', facts: { reason } } });
    expect(clock.pendingTimers).toBe(0);
    release();
    expect((await acquire()).ok).toBe(true);
  });

  test('does not begin for a caller who has left', async () => {
    const { acquire } = setUp(1);
    expect((await acquire(AbortSignal.abort())).ok).toBe(false);
    expect((await acquire()).ok).toBe(true);
  });
});
