import { beforeEach, describe, expect, test } from '@jest/globals';
import { CallSlots, MAX_QUEUE_WAIT_MS } from '../../../src/auth/call-slots.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

let clock: FakeClock;
beforeEach(() => {
  clock = new FakeClock();
});

const never = new AbortController().signal;

/** A place that must be there at once. */
function taken(slots: CallSlots): () => void {
  const entered = slots.enter(never);
  if (entered instanceof Promise || !entered.ok) throw new Error('no place');
  return entered.value;
}

describe('room for calls', () => {
  test('is given at once up to the bound, then in order of arrival, and no more calls wait than may', async () => {
    const slots = new CallSlots({ maxInFlight: 2, maxQueued: 2 }, clock);
    const release = taken(slots);
    taken(slots);
    const order: string[] = [];
    const first = Promise.resolve(slots.enter(never)).then(() => order.push('first'));
    const second = Promise.resolve(slots.enter(never)).then(() => order.push('second'));
    expect([slots.inFlight, slots.queued, slots.isFull]).toEqual([2, 2, true]);
    expect(slots.enter(never)).toMatchObject({
      error: { code: 'OVERLOADED', facts: { reason: 'queue_full', retry_after_seconds: 5 } },
    });
    release();
    release();
    await first;
    await settled();
    expect([order, slots.inFlight, slots.queued]).toEqual([['first'], 2, 1]);
    void second;
  });

  test('without a queue is refused at once when it is gone, and there again when a call ends', () => {
    const slots = new CallSlots({ maxInFlight: 1, maxQueued: 0 }, clock);
    const release = taken(slots);
    expect(slots.enter(never)).toMatchObject({ ok: false });
    release();
    taken(slots);
  });

  test('is not waited for longer than a client would', async () => {
    const slots = new CallSlots({ maxInFlight: 1, maxQueued: 5 }, clock);
    taken(slots);
    const waiting = Promise.resolve(slots.enter(never));
    clock.advance(MAX_QUEUE_WAIT_MS);
    expect(await waiting).toMatchObject({ error: { code: 'OVERLOADED', facts: { reason: 'queue_wait' } } });
    expect([slots.inFlight, slots.queued, clock.pendingTimers]).toEqual([1, 0, 0]);
  });

  test.each(['before', 'while'])('is not kept for a caller who gives up %s it waits', async (when) => {
    const slots = new CallSlots({ maxInFlight: 1, maxQueued: 5 }, clock);
    const release = taken(slots);
    const caller = new AbortController();
    if (when === 'before') caller.abort();
    const waiting = Promise.resolve(slots.enter(caller.signal));
    caller.abort();
    expect(await waiting).toMatchObject({ error: { code: 'FETCH_ERROR', facts: { reason: 'cancelled' } } });
    release();
    expect([slots.inFlight, slots.queued]).toEqual([0, 0]);
  });
});
