import { describe, expect, test } from '@jest/globals';
import { Deadline } from '../../../src/common/deadline.js';
import { failure, type Failure } from '../../../src/common/error-codes.js';
import type { Result } from '../../../src/common/result.js';
import { MemoryRobotsStore } from '../../../src/safety/memory-robots-store.js';
import { RobotsGate, type RobotsGateOptions } from '../../../src/safety/robots-gate.js';
import type { RobotsProbe } from '../../../src/safety/robots-probe.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

const TTL_MS = 86_400_000;
const BACKOFF_MS = 60_000;
const REFUSE_ALL: RobotsProbe = { kind: 'policy', text: 'User-agent: *\nDisallow: /\n' };
const REFUSE_PRIVATE: RobotsProbe = { kind: 'policy', text: 'User-agent: *\nDisallow: /private\n' };
const ABSENT: RobotsProbe = { kind: 'absent' };
const DOWN: RobotsProbe = { kind: 'unavailable', cause: 'status 41' };
const TIMED_OUT: RobotsProbe = { kind: 'unavailable', cause: 'timed out', reason: 'timeout', retry: true };

interface Probing {
  readonly deadline: Deadline;
  answer(outcome: RobotsProbe): Promise<void>;
  fail(error: Error): Promise<void>;
}

function setUp(changes: Partial<RobotsGateOptions> = {}) {
  const clock = new FakeClock();
  const gate = new RobotsGate(
    {
      ttlMs: TTL_MS,
      failureBackoffMs: BACKOFF_MS,
      agents: { own: ['gopher-mcp'], additional: [] },
      onFailure: 'refuse',
      variablePrefix: 'GEMINI_',
      ...changes,
    },
    new MemoryRobotsStore(clock),
    clock,
  );
  const probes: Probing[] = [];
  const deadlineOf = (signal?: AbortSignal): Deadline => new Deadline(clock, 30_000, signal);

  /** Begins a check whose probes the test answers one by one. */
  const begin = (path = '/x', { deadline = deadlineOf(), host = 'a.test', port = 1965 } = {}): Promise<string> =>
    gate
      .check(
        { host, port, paths: [path] },
        (given) =>
          new Promise((resolve, reject) => {
            probes.push({
              deadline: given,
              answer: (outcome) => (resolve(outcome), settled()),
              fail: (error) => (reject(error), settled()),
            });
            given.signal.addEventListener('abort', () => {
              resolve(TIMED_OUT);
            });
          }),
        deadline,
      )
      .then(codeOf);

  /** One whole check; tells how it ended and how often the host was asked. */
  const check = async (outcomes: RobotsProbe[], path = '/x', host = 'a.test'): Promise<string> => {
    let asked = 0;
    const checked = await gate.check(
      { host, port: 1965, paths: [path] },
      () => Promise.resolve(outcomes[asked++] ?? ABSENT),
      deadlineOf(),
    );
    return `${codeOf(checked)}, asked ${asked}`;
  };
  const errorOf = async (outcome: RobotsProbe, path = '/x'): Promise<Failure> => {
    const checked = await gate.check({ host: 'a.test', port: 1965, paths: [path] }, async () => outcome, deadlineOf());
    if (checked.ok) throw new Error('was allowed');
    return checked.error;
  };
  return { clock, gate, probes, begin, check, errorOf, deadlineOf };
}

function codeOf(checked: Result<void, Failure>): string {
  return checked.ok ? 'allowed' : checked.error.code;
}

describe('a policy', () => {
  test('decides by its rules and is asked for once in its lifetime', async () => {
    const { check, clock } = setUp();
    expect(await check([REFUSE_PRIVATE])).toBe('allowed, asked 1');
    expect(await check([], '/private/x')).toBe('BLOCKED_BY_ROBOTS, asked 0');
    await clock.pass(TTL_MS - 1);
    expect(await check([], '/private/x')).toBe('BLOCKED_BY_ROBOTS, asked 0');
    await clock.pass(1);
    expect(await check([ABSENT], '/private/x')).toBe('allowed, asked 1');
  });

  test('that is absent allows everything for its lifetime', async () => {
    const { check } = setUp();
    expect(await check([ABSENT])).toBe('allowed, asked 1');
    expect(await check([])).toBe('allowed, asked 0');
  });

  test('belongs to one host and one port', async () => {
    const { check, begin, probes } = setUp();
    expect(await check([REFUSE_ALL])).toBe('BLOCKED_BY_ROBOTS, asked 1');
    expect(await check([ABSENT], '/x', 'b.test')).toBe('allowed, asked 1');
    const otherPort = begin('/x', { port: 1966 });
    await settled();
    await probes[0]?.answer(ABSENT);
    expect(await otherPort).toBe('allowed');
  });

  test('without a lifetime is asked for each time', async () => {
    const { check } = setUp({ ttlMs: 0 });
    expect(await check([ABSENT])).toBe('allowed, asked 1');
    expect(await check([REFUSE_ALL])).toBe('BLOCKED_BY_ROBOTS, asked 1');
    expect(await check([ABSENT])).toBe('allowed, asked 1');
  });

  test('refuses with what the model has to know', async () => {
    const { errorOf } = setUp();
    const { code, message } = await errorOf(REFUSE_ALL);
    expect(code).toBe('BLOCKED_BY_ROBOTS');
    for (const part of ['a.test', 'operator', 'not retry', 'spelling', 'GEMINI_RESPECT_ROBOTS_TXT', 'user operates']) {
      expect(message).toContain(part);
    }
  });
});

describe('an unreadable policy, where that refuses', () => {
  test('refuses, names the cause, and says when to come back', async () => {
    const { clock, errorOf } = setUp();
    const first = await errorOf({ ...DOWN, reason: 'refused' });
    expect(first).toMatchObject({
      code: 'ROBOTS_UNAVAILABLE',
      facts: { retry_after_seconds: 60, reason: 'refused' },
    });
    expect(first.message).toContain('a.test:1965');
    expect(first.message).toContain('status 41');
    await clock.pass(20_000);
    expect((await errorOf(ABSENT)).facts.retry_after_seconds).toBe(40);
  });

  test('is not asked for again for a while', async () => {
    const { clock, check } = setUp();
    expect(await check([DOWN])).toBe('ROBOTS_UNAVAILABLE, asked 1');
    await clock.pass(BACKOFF_MS - 1);
    expect(await check([])).toBe('ROBOTS_UNAVAILABLE, asked 0');
    await clock.pass(1);
    expect(await check([ABSENT])).toBe('allowed, asked 1');
  });

  test('is asked for each time when there is no back-off', async () => {
    const { check, errorOf } = setUp({ failureBackoffMs: 0 });
    expect(await check([DOWN])).toBe('ROBOTS_UNAVAILABLE, asked 1');
    expect((await errorOf(DOWN)).facts).not.toHaveProperty('retry_after_seconds');
    expect(await check([ABSENT])).toBe('allowed, asked 1');
  });

  test.each<[string, RobotsProbe, number]>([
    ['the seconds it names', { ...DOWN, slowDown: '5' }, 5000],
    ['300 seconds at most', { ...DOWN, slowDown: '9999' }, 300_000],
    ['our own back-off if it names none', { ...DOWN, slowDown: 'soon' }, BACKOFF_MS],
  ])('leaves a host that asks to slow down alone for %s', async (_name, outcome, backoffMs) => {
    const { clock, check } = setUp();
    await check([outcome]);
    await clock.pass(backoffMs - 1);
    expect(await check([])).toBe('ROBOTS_UNAVAILABLE, asked 0');
    await clock.pass(1);
    expect(await check([ABSENT])).toBe('allowed, asked 1');
  });

  test('gets one more try if the first timed out', async () => {
    const { check } = setUp();
    expect(await check([TIMED_OUT, ABSENT])).toBe('allowed, asked 2');
    expect(await check([TIMED_OUT, TIMED_OUT, ABSENT], '/x', 'b.test')).toBe('ROBOTS_UNAVAILABLE, asked 2');
    expect(await check([DOWN, ABSENT], '/x', 'c.test')).toBe('ROBOTS_UNAVAILABLE, asked 1');
  });

  test('leaves half of the time for that second try, and ends with the deadline', async () => {
    const { clock, begin, probes } = setUp();
    const checking = begin();
    await settled();
    expect(probes[0]?.deadline.budgetMs).toBe(15_000);
    await clock.pass(15_000);
    expect(probes[1]?.deadline.remainingMs).toBe(15_000);
    await clock.pass(15_000);
    expect(await checking).toBe('ROBOTS_UNAVAILABLE');
    expect(probes).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('an unreadable policy, where that allows', () => {
  const open = { onFailure: 'allow' } as const;

  test('allows, and is not asked for again for a while', async () => {
    const { clock, check } = setUp(open);
    expect(await check([DOWN])).toBe('allowed, asked 1');
    expect(await check([])).toBe('allowed, asked 0');
    await clock.pass(BACKOFF_MS);
    expect(await check([REFUSE_ALL])).toBe('BLOCKED_BY_ROBOTS, asked 1');
  });

  test('takes half of the time at most and no second try, so that the fetch still happens', async () => {
    const { clock, begin, probes, deadlineOf } = setUp(open);
    const deadline = deadlineOf();
    const checking = begin('/x', { deadline });
    await clock.pass(15_000);
    expect(await checking).toBe('allowed');
    expect(probes).toHaveLength(1);
    expect(deadline.remainingMs).toBe(15_000);
    expect(deadline.signal.aborted).toBe(false);
  });

  test('lets a policy decide that can be read', async () => {
    const { check } = setUp(open);
    expect(await check([REFUSE_ALL])).toBe('BLOCKED_BY_ROBOTS, asked 1');
  });

  test('is not made out of our own pacing', async () => {
    const { check } = setUp(open);
    const refusal = failure('SLOW_DOWN', '', { reason: 'own_pacing' });
    expect(await check([{ kind: 'surface', failure: refusal }])).toBe('SLOW_DOWN, asked 1');
    expect(await check([REFUSE_ALL])).toBe('BLOCKED_BY_ROBOTS, asked 1');
  });

  test.each(['BLOCKED', 'DNS_ERROR'] as const)(
    'leaves %s to the fetch, which may be answered from the cache',
    async (code) => {
      const { check } = setUp(open);
      expect(await check([{ kind: 'surface', failure: failure(code, '') }])).toBe('allowed, asked 1');
    },
  );
});

describe('an old policy', () => {
  test.each(['allow', 'refuse'] as const)('goes on to apply when it cannot be read again (%s)', async (onFailure) => {
    const { clock, check } = setUp({ onFailure });
    await check([REFUSE_PRIVATE]);
    await clock.pass(TTL_MS);
    expect(await check([DOWN], '/private')).toBe('BLOCKED_BY_ROBOTS, asked 1');
    expect(await check([], '/private')).toBe('BLOCKED_BY_ROBOTS, asked 0');
    expect(await check([], '/x')).toBe('allowed, asked 0');
    await clock.pass(BACKOFF_MS);
    expect(await check([ABSENT], '/private')).toBe('allowed, asked 1');
  });

  test('goes on to apply when the address cannot be had either, where that allows', async () => {
    const { clock, check } = setUp({ onFailure: 'allow' });
    await check([REFUSE_PRIVATE]);
    await clock.pass(TTL_MS);
    expect(await check([{ kind: 'surface', failure: failure('DNS_ERROR', '') }], '/private')).toBe(
      'BLOCKED_BY_ROBOTS, asked 1',
    );
  });

  test('is read again, and nothing worse, when the wall clock jumps ahead', async () => {
    const { clock, check } = setUp();
    await check([ABSENT]);
    clock.jumpWallClock(TTL_MS);
    expect(await check([REFUSE_ALL])).toBe('BLOCKED_BY_ROBOTS, asked 1');
  });
});

describe('what a probe surfaces', () => {
  test('passes through unchanged and is not remembered', async () => {
    const { errorOf, check } = setUp();
    const changed = failure('CERTIFICATE_CHANGED', 'the certificate differs');
    expect(await errorOf({ kind: 'surface', failure: changed })).toBe(changed);
    expect(await check([ABSENT])).toBe('allowed, asked 1');
  });
});

describe('one probe a host', () => {
  test('is shared by all who come while it is under way', async () => {
    const { begin, probes } = setUp();
    const checks = [begin('/x'), begin('/private'), begin('/y')];
    await settled();
    expect(probes).toHaveLength(1);
    await probes[0]?.answer(REFUSE_PRIVATE);
    expect(await Promise.all(checks)).toEqual(['allowed', 'BLOCKED_BY_ROBOTS', 'allowed']);
  });

  test.each<[RobotsProbe, string]>([
    [DOWN, 'ROBOTS_UNAVAILABLE'],
    [{ kind: 'surface', failure: failure('DNS_ERROR', '') }, 'DNS_ERROR'],
  ])('that fails (%j) costs a batch one probe', async (outcome, code) => {
    const { begin, probes } = setUp({ failureBackoffMs: 0 });
    const checks = [begin(), begin(), begin()];
    await settled();
    await probes[0]?.answer(outcome);
    expect(await Promise.all(checks)).toEqual([code, code, code]);
    expect(probes).toHaveLength(1);
  });

  test('does not hold up other hosts', async () => {
    const { begin, probes } = setUp();
    void begin('/x');
    const other = begin('/x', { host: 'b.test' });
    await settled();
    await probes[1]?.answer(ABSENT);
    expect(await other).toBe('allowed');
  });

  test('is taken over by a waiter when its caller leaves', async () => {
    const { begin, probes, deadlineOf } = setUp();
    const caller = new AbortController();
    const first = begin('/x', { deadline: deadlineOf(caller.signal) });
    const second = begin('/x');
    await settled();
    caller.abort();
    await settled();
    expect(await first).toBe('FETCH_ERROR');
    expect(probes).toHaveLength(2);
    await probes[1]?.answer(ABSENT);
    expect(await second).toBe('allowed');
  });

  test('is not waited for by a caller who leaves', async () => {
    const { begin, probes, deadlineOf } = setUp();
    const caller = new AbortController();
    const first = begin('/x');
    const second = begin('/x', { deadline: deadlineOf(caller.signal) });
    await settled();
    caller.abort();
    expect(await second).toBe('FETCH_ERROR');
    await probes[0]?.answer(ABSENT);
    expect(await first).toBe('allowed');
    expect(probes).toHaveLength(1);
  });

  test('is not charged to those who wait for it', async () => {
    const { clock, begin, probes, deadlineOf } = setUp();
    const waiting = deadlineOf();
    const checks = [begin('/x'), begin('/x', { deadline: waiting })];
    await clock.pass(10_000);
    await probes[0]?.answer(ABSENT);
    expect(await Promise.all(checks)).toEqual(['allowed', 'allowed']);
    expect(waiting.remainingMs).toBe(30_000);
  });

  test('that breaks by a bug of ours breaks one fetch and no other', async () => {
    const { begin, probes } = setUp();
    const first = begin('/x');
    const second = begin('/x');
    await settled();
    const broken = probes[0]?.fail(new Error('bug'));
    await expect(first).rejects.toThrow('bug');
    await broken;
    await probes[1]?.answer(ABSENT);
    expect(await second).toBe('allowed');
  });
});

test('waiting for a turn inside a probe is charged to nobody', async () => {
  const { clock, gate, deadlineOf } = setUp();
  const deadline = deadlineOf();
  const checking = gate.check(
    { host: 'a.test', port: 1965, paths: ['/x'] },
    async (share) => {
      await share.paused(() => new Promise<void>((resolve) => clock.setTimer(50_000, resolve)));
      return ABSENT;
    },
    deadline,
  );
  await clock.pass(50_000);
  expect((await checking).ok).toBe(true);
  expect(deadline.remainingMs).toBe(30_000);
});
