import { beforeEach, describe, expect, test } from '@jest/globals';
import { drain, NOTICE_MS, type DrainableServer, type DrainOptions } from '../../../src/bin/drain.js';
import { DrainState } from '../../../src/health/index.js';
import type { Log } from '../../../src/logging/index.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

let clock: FakeClock;
let state: DrainState;
let calls: number;
/** What happened, and when. */
let events: string[];

beforeEach(() => {
  clock = new FakeClock();
  state = new DrainState();
  calls = 0;
  events = [];
});

const note = (what: string): void => void events.push(`${what} at ${clock.monotonicMs()}`);

const log: Log = {
  debug: () => undefined,
  info: (event) => note(event),
  warning: (event, { calls: left } = {}) => note(`${event} (${String(left)})`),
  error: () => undefined,
  critical: () => undefined,
  isEnabled: () => true,
};

const server: DrainableServer = {
  get state() {
    return state;
  },
  inFlight: () => calls,
  stopListening: () => note('stops listening'),
  cutOff: () => {
    calls = 0;
    note('cuts off');
  },
};

function begin(options: Partial<DrainOptions> = {}): void {
  void drain(server, { drainMs: 10_000, giveNotice: true, ...options }, clock, log).then(() => note('done'));
}

describe('notice', () => {
  test('is given to whoever asks for readiness, and calls are served meanwhile', async () => {
    state.watched();
    begin();
    await settled();
    expect([state.isDraining, events]).toEqual([true, ['draining at 0']]);
    await clock.pass(5000);
    expect(events).toEqual(['draining at 0', 'stops listening at 5000', 'done at 5000']);
    expect(clock.pendingTimers).toBe(0);
  });

  test.each<[string, boolean, Partial<DrainOptions>, number]>([
    ['takes half of the time', true, { drainMs: 4000 }, 2000],
    ['takes ten seconds at most', true, { drainMs: 600_000 }, NOTICE_MS],
    ['is not given where nobody asks', false, {}, 0],
    ['is not given when it is not wanted', true, { giveNotice: false }, 0],
    ['is not given when there is no time', true, { drainMs: 0 }, 0],
  ])('%s', async (_, isWatched, options, stopsMs) => {
    if (isWatched) state.watched();
    begin(options);
    await clock.pass(stopsMs);
    expect(events.at(-2)).toBe(`stops listening at ${stopsMs}`);
  });
});

describe('calls that run', () => {
  test('are waited for', async () => {
    calls = 2;
    begin();
    await clock.pass(1000);
    calls = 1;
    await clock.pass(1000);
    expect(events).toEqual(['draining at 0', 'stops listening at 0']);
    calls = 0;
    await clock.pass(50);
    expect(events.at(-1)).toBe('done at 2050');
  });

  test('are cut off when the time is up, notice included', async () => {
    state.watched();
    calls = 3;
    begin();
    await clock.pass(10_000);
    expect(events).toEqual([
      'draining at 0',
      'stops listening at 5000',
      'calls cut off (3) at 10000',
      'cuts off at 10000',
      'done at 10000',
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('are cut off at once when there is no time', async () => {
    calls = 1;
    begin({ drainMs: 0 });
    await settled();
    expect(events).toEqual([
      'draining at 0',
      'stops listening at 0',
      'calls cut off (1) at 0',
      'cuts off at 0',
      'done at 0',
    ]);
  });
});
