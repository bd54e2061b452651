import { describe, expect, test } from '@jest/globals';
import { DeadlineError } from '../../../src/common/deadline.js';
import type { Failure } from '../../../src/common/error-codes.js';
import type { Result } from '../../../src/common/result.js';
import { HostPacer, type HostPacerOptions } from '../../../src/safety/host-pacer.js';
import { MemoryPacingStore } from '../../../src/safety/memory-pacing-store.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

function setUp(changes: Partial<HostPacerOptions> = {}) {
  const clock = new FakeClock();
  const store = new MemoryPacingStore(clock);
  const pacer = new HostPacer(
    { requestsPerMinute: 60, maxWaitMs: 60_000, hostWaitLimitMs: 30_000, variablePrefix: 'GEMINI_', ...changes },
    store,
    clock,
  );
  const log: string[] = [];
  /** Asks for a start and logs when it comes, or why it does not. */
  const ask = (name: string, signal = new AbortController().signal, host = 'a.test'): void => {
    void pacer.acquire(host, signal).then((turn) => {
      log.push(`${name} ${turn.ok ? 'starts' : reasonOf(turn.error)} at ${clock.monotonicMs()}`);
    });
  };
  return { clock, store, pacer, log, ask };
}

function reasonOf(error: Failure): string {
  return error.facts.reason ?? error.code;
}

function failureOf(turn: Result<void, Failure>): Failure {
  if (turn.ok) throw new Error('was not refused');
  return turn.error;
}

const free = (): AbortSignal => new AbortController().signal;

describe('our own spacing', () => {
  test('starts requests to one host an interval apart, in the order they came', async () => {
    const { clock, log, ask } = setUp();
    for (const name of ['a', 'b', 'c']) ask(name);
    await clock.pass(10_000);
    expect(log).toEqual(['a starts at 0', 'b starts at 1000', 'c starts at 2000']);
    expect(clock.pendingTimers).toBe(0);
  });

  test('does not let other hosts wait', async () => {
    const { clock, log, ask } = setUp();
    ask('a');
    ask('b', free(), 'b.test');
    await clock.pass(0);
    expect(log).toEqual(['a starts at 0', 'b starts at 0']);
  });

  test('gives no burst after a rest', async () => {
    const { clock, log, ask } = setUp();
    ask('a');
    await clock.pass(5000);
    ask('b');
    ask('c');
    await clock.pass(5000);
    expect(log).toEqual(['a starts at 0', 'b starts at 5000', 'c starts at 6000']);
  });

  test('refuses at once who would wait longer than allowed, and those in line go on', async () => {
    const { clock, log, ask, pacer } = setUp({ maxWaitMs: 2000 });
    for (const name of ['a', 'b', 'c']) ask(name);
    const refused = failureOf(await pacer.acquire('a.test', free()));
    expect(refused).toMatchObject({ code: 'SLOW_DOWN', facts: { reason: 'own_pacing', retry_after_seconds: 3 } });
    await clock.pass(1000);
    ask('d');
    await clock.pass(10_000);
    expect(log).toEqual(['a starts at 0', 'b starts at 1000', 'c starts at 2000', 'd starts at 3000']);
  });

  test('counts the wait from when the one before starts, however close together they come', async () => {
    const { clock, log, ask } = setUp({ requestsPerMinute: 1, maxWaitMs: 60_000 });
    for (const name of ['a', 'b', 'c']) ask(name);
    await clock.pass(60_000);
    expect(log).toEqual(['a starts at 0', 'c own_pacing at 0', 'b starts at 60000']);
  });

  test('lets the next one up when somebody in line goes away', async () => {
    const { clock, log, ask } = setUp();
    const second = new AbortController();
    ask('a');
    ask('b', second.signal);
    ask('c');
    await clock.pass(500);
    second.abort(new DeadlineError('cancelled'));
    await clock.pass(10_000);
    expect(log).toEqual(['a starts at 0', 'b cancelled at 500', 'c starts at 1000']);
    expect(clock.pendingTimers).toBe(0);
  });

  test('can be off', async () => {
    const { clock, log, ask, store } = setUp({ requestsPerMinute: 0 });
    for (const name of ['a', 'b', 'c']) ask(name);
    await clock.pass(0);
    expect(log).toEqual(['a starts at 0', 'b starts at 0', 'c starts at 0']);
    expect(store.size).toBe(0);
  });

  test('does not start a request whose caller left before it asked', async () => {
    const { pacer, ask, log } = setUp();
    expect(failureOf(await pacer.acquire('a.test', AbortSignal.abort(new DeadlineError('cancelled'))))).toMatchObject({
      code: 'FETCH_ERROR',
      facts: { reason: 'cancelled' },
    });
    ask('a');
    await settled();
    expect(log).toEqual(['a starts at 0']);
  });
});

describe('a pause that the host asks for', () => {
  test('is waited out when it ends within the limit', async () => {
    const { clock, log, ask, pacer } = setUp({ requestsPerMinute: 0 });
    expect(pacer.slowDown('a.test', '20')).toBe(20);
    ask('a');
    await clock.pass(60_000);
    expect(log).toEqual(['a starts at 20000']);
  });

  test('holds even where we do not space requests ourselves, for that host only', async () => {
    const { clock, log, ask, pacer } = setUp({ requestsPerMinute: 0 });
    pacer.slowDown('a.test', '2');
    ask('a');
    ask('b', free(), 'b.test');
    await clock.pass(60_000);
    expect(log).toEqual(['b starts at 0', 'a starts at 2000']);
  });

  test('is refused when longer, with the time to come back and the host’s name on it', async () => {
    const { clock, pacer } = setUp();
    pacer.slowDown('a.test', '40');
    await clock.pass(1950);
    expect(failureOf(await pacer.acquire('a.test', free()))).toMatchObject({
      code: 'SLOW_DOWN',
      facts: { reason: 'host_asked', retry_after_seconds: 38.1 },
    });
  });

  test('counts for those who wait already, who keep their order and their distance', async () => {
    const { clock, log, ask, pacer } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    await clock.pass(1500);
    pacer.slowDown('a.test', '10');
    ask('e');
    await clock.pass(60_000);
    expect(log).toEqual([
      'a starts at 0',
      'b starts at 1000',
      'c starts at 11500',
      'd starts at 12500',
      'e starts at 13500',
    ]);
  });

  test('too long for those who wait already is told to them at once', async () => {
    const { clock, log, ask, pacer } = setUp();
    for (const name of ['a', 'b', 'c']) ask(name);
    await clock.pass(500);
    await pacer.penalise('a.test', Number.POSITIVE_INFINITY);
    await settled();
    expect(log).toEqual(['a starts at 0', 'b host_asked at 500', 'c host_asked at 500']);
    expect(clock.pendingTimers).toBe(0);
  });

  test('does not end earlier because a shorter one is asked for', async () => {
    const { clock, log, ask, pacer } = setUp({ requestsPerMinute: 0 });
    pacer.slowDown('a.test', '10');
    pacer.slowDown('a.test', '1');
    ask('a');
    await clock.pass(60_000);
    expect(log).toEqual(['a starts at 10000']);
  });

  test('adds nothing to own spacing that runs out later', async () => {
    const { clock, log, ask, pacer } = setUp({ requestsPerMinute: 6 });
    ask('a');
    await clock.pass(100);
    pacer.slowDown('a.test', '5');
    ask('b');
    await clock.pass(60_000);
    expect(log).toEqual(['a starts at 0', 'b starts at 10000']);
  });

  test.each([Number.NaN, Number.NEGATIVE_INFINITY, -1, 0])('of %p seconds is none', async (seconds) => {
    const { clock, log, ask, pacer, store } = setUp();
    await pacer.penalise('a.test', seconds);
    expect(store.size).toBe(0);
    ask('a');
    await clock.pass(0);
    expect(log).toEqual(['a starts at 0']);
  });
});

describe('a host that asks to slow down without a number', () => {
  test('is left alone for 15 seconds, twice as long each further time, and 300 at most', async () => {
    const { clock, pacer } = setUp();
    const seen: number[] = [];
    for (let i = 0; i < 7; i++) {
      const seconds = pacer.slowDown('a.test', 'soon');
      seen.push(seconds);
      await clock.pass(seconds * 1000);
    }
    expect(seen).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  test('begins again at 15 seconds after any other answer', async () => {
    const { clock, pacer } = setUp();
    pacer.slowDown('a.test', '');
    await clock.pass(15_000);
    expect(pacer.slowDown('a.test', '')).toBe(30);
    await clock.pass(30_000);
    pacer.answered('a.test');
    expect(pacer.slowDown('a.test', '')).toBe(15);
  });

  test('does not multiply the pause by the requests that were under way', () => {
    const { pacer } = setUp();
    expect(['', '', ''].map((field) => pacer.slowDown('a.test', field))).toEqual([15, 15, 15]);
  });

  test('says nothing about other hosts', async () => {
    const { clock, pacer } = setUp();
    pacer.slowDown('a.test', '');
    await clock.pass(15_000);
    expect(pacer.slowDown('b.test', '')).toBe(15);
  });
});

test('hosts that hold nobody back are forgotten past 1024 of them', async () => {
  const { clock, pacer, store } = setUp();
  for (let i = 0; i < 1000; i++) await pacer.acquire(`${i}.test`, free());
  expect(store.size).toBe(1000);
  await clock.pass(1000);
  for (let i = 0; i < 1000; i++) await pacer.acquire(`${i}.example`, free());
  expect(store.size).toBeLessThanOrEqual(1000);
});
