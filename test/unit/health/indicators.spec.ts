import { describe, expect, test } from '@jest/globals';
import { HealthIndicatorService } from '@nestjs/terminus';
import type { RecordKeeping } from '../../../src/common/call-observer.port.js';
import { err, ok } from '../../../src/common/result.js';
import { WatchedStores, type WatchedStore } from '../../../src/common/watched-stores.js';
import { AuditIndicator } from '../../../src/health/audit.indicator.js';
import { DrainState } from '../../../src/health/drain-state.js';
import { EventLoopDelay } from '../../../src/health/event-loop-delay.js';
import { EventLoopIndicator } from '../../../src/health/event-loop.indicator.js';
import { ServingIndicator } from '../../../src/health/serving.indicator.js';
import { StoresIndicator, STORES_WITHIN_MS } from '../../../src/health/stores.indicator.js';
import { FakeClock } from '../../support/fake-clock.js';

const indicators = new HealthIndicatorService();
const READABLE = { readAll: () => Promise.resolve(ok(new Map())) };
const fit: WatchedStore = { ...READABLE, isWritable: () => Promise.resolve(true) };

describe('the stores', () => {
  async function check(...stores: readonly WatchedStore[]) {
    const clock = new FakeClock();
    const watched = new WatchedStores();
    for (const [index, store] of stores.entries()) watched.add(`store${index}`, store);
    const checked = new StoresIndicator(watched, clock, indicators).check();
    await clock.pass(STORES_WITHIN_MS);
    expect(clock.pendingTimers).toBe(0);
    return checked;
  }

  test('have an entry each', async () => {
    const readOnly: WatchedStore = { ...READABLE, isWritable: () => Promise.resolve(false) };
    const damaged: WatchedStore = { ...fit, readAll: () => Promise.resolve(err('damaged at /home/me/tofu.json')) };
    expect(await check(fit, readOnly, damaged)).toEqual({
      store0: { status: 'up' },
      store1: { status: 'down', message: 'cannot be read or written' },
      store2: { status: 'down', message: 'cannot be read or written' },
    });
  });

  test('that do not answer are down', async () => {
    const hanging: WatchedStore = { ...fit, isWritable: () => new Promise(() => undefined) };
    expect(await check(fit, hanging)).toEqual({ stores: { status: 'down', message: 'no answer in time' } });
  });

  test('that do not exist are no trouble', async () => {
    expect(await check()).toEqual({});
  });
});

describe('the audit', () => {
  const check = (audit: RecordKeeping | null): unknown => new AuditIndicator(audit, indicators).check();

  test('is not told of where there is none', () => {
    expect(check(null)).toEqual({});
  });

  test.each([
    [{ isFailing: false, lost: 0 }, { status: 'up' }],
    [
      { isFailing: true, lost: 0 },
      { status: 'up', state: 'degraded' },
    ],
    [
      { isFailing: true, lost: 2 },
      { status: 'up', state: 'degraded', lost: 2 },
    ],
    [
      { isFailing: false, lost: 2 },
      { status: 'up', lost: 2 },
    ],
  ])('with %j is %j', (state, audit) => {
    expect(check({ written: 7, ...state })).toEqual({ audit });
  });
});

describe('the event loop', () => {
  test.each([
    [0, { status: 'up', delay_ms: 0 }],
    [999, { status: 'up', delay_ms: 999 }],
    [1000, { status: 'down', delay_ms: 1000 }],
  ])('that is %d ms late on average', (delayMs, event_loop) => {
    class Delay extends EventLoopDelay {
      override get meanMs(): number {
        return delayMs;
      }
    }
    expect(new EventLoopIndicator(new Delay(new FakeClock()), indicators).check()).toEqual({ event_loop });
  });
});

test('a server serves until it is told to stop', () => {
  const drain = new DrainState();
  const indicator = new ServingIndicator(drain, indicators);
  expect(indicator.check()).toEqual({ serving: { status: 'up' } });
  drain.begin();
  expect(indicator.check()).toEqual({ serving: { status: 'down', message: 'draining' } });
});
