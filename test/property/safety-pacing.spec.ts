import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DeadlineError } from '../../src/common/deadline.js';
import { SlotQueue, type SlotTicket } from '../../src/common/slot-queue.js';
import { HostPacer } from '../../src/safety/host-pacer.js';
import { MemoryPacingStore } from '../../src/safety/memory-pacing-store.js';
import { FakeClock } from '../support/fake-clock.js';

type Event =
  | { readonly kind: 'request'; readonly host: string; readonly leavesAfterMs: number | null }
  | { readonly kind: 'pause'; readonly host: string; readonly seconds: number };

interface Outcome {
  readonly host: string;
  readonly arrivedMs: number;
  readonly endedMs: number;
  readonly started: boolean;
  readonly reason: string | undefined;
}

const host = fc.constantFrom('a.test', 'b.test');

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      host,
      leavesAfterMs: fc.option(fc.integer({ min: 0, max: 8000 }), { freq: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pause' as const), host, seconds: fc.integer({ min: 0, max: 20 }) }),
  },
);

const schedule = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), event), { minLength: 1, maxLength: 40 });

test('whatever comes when: starts are apart, in order, outside pauses, and nobody waits beyond the limits', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, fc.constantFrom(0, 30, 60, 137), async (events, requestsPerMinute) => {
      const clock = new FakeClock();
      const maxWaitMs = 6000;
      const hostWaitLimitMs = 10_000;
      const pacer = new HostPacer(
        { requestsPerMinute, maxWaitMs, hostWaitLimitMs, variablePrefix: 'X_' },
        new MemoryPacingStore(clock),
        clock,
      );
      const intervalMs = requestsPerMinute === 0 ? 0 : 60_000 / requestsPerMinute;
      const outcomes: Outcome[] = [];
      const pauses: { host: string; fromMs: number; untilMs: number }[] = [];

      for (const [gapMs, happening] of events) {
        await clock.pass(gapMs);
        const arrivedMs = clock.monotonicMs();
        if (happening.kind === 'pause') {
          await pacer.penalise(happening.host, happening.seconds);
          pauses.push({ host: happening.host, fromMs: arrivedMs, untilMs: arrivedMs + happening.seconds * 1000 });
          continue;
        }
        const caller = new AbortController();
        if (happening.leavesAfterMs !== null) {
          clock.setTimer(happening.leavesAfterMs, () => {
            caller.abort(new DeadlineError('cancelled'));
          });
        }
        void pacer.acquire(happening.host, caller.signal).then((turn) => {
          outcomes.push({
            host: happening.host,
            arrivedMs,
            endedMs: clock.monotonicMs(),
            started: turn.ok,
            reason: turn.ok ? undefined : turn.error.facts.reason,
          });
        });
      }
      await clock.pass(600_000);

      const requests = events.filter(([, { kind }]) => kind === 'request');
      expect(outcomes).toHaveLength(requests.length);
      expect(clock.pendingTimers).toBe(0);
      for (const name of ['a.test', 'b.test']) {
        const starts = outcomes.filter((outcome) => outcome.host === name && outcome.started);
        for (const [i, start] of starts.entries()) {
          const previous = starts[i - 1];
          if (previous) {
            expect(start.endedMs - previous.endedMs).toBeGreaterThanOrEqual(intervalMs);
            expect(start.arrivedMs).toBeGreaterThanOrEqual(previous.arrivedMs);
          }
          for (const pause of pauses) {
            const during = pause.host === name && start.endedMs >= pause.fromMs && start.endedMs < pause.untilMs;
            // A request that came at the very moment of the pause, before it, may have started.
            if (during) expect(start.endedMs).toBe(pause.fromMs);
          }
        }
      }
      for (const { arrivedMs, endedMs, reason } of outcomes) {
        const paused = pauses.reduce((sum, pause) => sum + pause.untilMs - pause.fromMs, 0);
        expect(endedMs - arrivedMs).toBeLessThanOrEqual(maxWaitMs + hostWaitLimitMs + paused + intervalMs);
        if (reason === 'own_pacing') expect(endedMs).toBe(arrivedMs);
        if (reason === 'own_pacing') expect(requestsPerMinute).toBeGreaterThan(0);
      }
    }),
  );
}, 60_000);

test('requests that nobody cancels or pauses start exactly as early as spacing allows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2500 }), { minLength: 1, maxLength: 30 }), async (gaps) => {
      const clock = new FakeClock();
      const pacer = new HostPacer(
        { requestsPerMinute: 60, maxWaitMs: 3000, hostWaitLimitMs: 0, variablePrefix: 'X_' },
        new MemoryPacingStore(clock),
        clock,
      );
      const seen: (number | 'refused')[] = [];
      const expected: (number | 'refused')[] = [];
      let nextMs = 0;
      for (const [i, gapMs] of gaps.entries()) {
        await clock.pass(gapMs);
        const nowMs = clock.monotonicMs();
        const startMs = Math.max(nowMs, nextMs);
        const refused = startMs - nowMs > 3000;
        expected[i] = refused ? 'refused' : startMs;
        if (!refused) nextMs = startMs + 1000;
        void pacer.acquire('a.test', new AbortController().signal).then((turn) => {
          seen[i] = turn.ok ? clock.monotonicMs() : 'refused';
        });
      }
      await clock.pass(60_000);
      expect(seen).toEqual(expected);
    }),
  );
}, 60_000);

test('places are never given out beyond the capacity, and in order', () => {
  const steps = fc.array(fc.oneof(fc.constant('enter' as const), fc.nat(20)), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (capacity, actions) => {
      const queue = new SlotQueue(capacity);
      const tickets: { ticket: SlotTicket; number: number }[] = [];
      const holding = new Set<number>();
      const waiting: number[] = [];
      let entered = 0;
      for (const action of actions) {
        if (action === 'enter') {
          const number = entered++;
          const ticket = queue.enter(() => {
            expect(waiting.shift()).toBe(number);
            holding.add(number);
          });
          tickets.push({ ticket, number });
          if (ticket.granted) holding.add(number);
          else waiting.push(number);
        } else {
          const chosen = tickets.splice(action, 1)[0];
          if (!chosen) continue;
          holding.delete(chosen.number);
          const place = waiting.indexOf(chosen.number);
          if (place !== -1) waiting.splice(place, 1);
          chosen.ticket.leave();
        }
        expect(holding.size).toBe(Math.min(capacity, holding.size + waiting.length));
      }
    }),
  );
});
