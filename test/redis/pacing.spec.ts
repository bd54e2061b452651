import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SystemClock } from '../../src/clock/system-clock.js';
import { HostPacer, MemoryPacingStore } from '../../src/safety/index.js';
import { RedisPacingStore } from '../../src/safety/redis-pacing-store.js';
import { RedisConnection } from '../../src/state/io/redis-connection.js';
import { RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const clock = new SystemClock();
const HOST = 'example.org';
const REQUEST = {
  intervalMs: 200,
  ahead: 0,
  waitedMs: 0,
  admitted: false,
  maxOwnWaitMs: 1000,
  maxHostWaitMs: 500,
} as const;

let server: RedisServer;
let replicas: Replica[];

class Replica {
  private constructor(
    readonly redis: RedisConnection,
    readonly own: MemoryPacingStore,
    readonly store: RedisPacingStore,
  ) {}

  static async start(name: string): Promise<Replica> {
    const redis = await RedisConnection.open({ url: server.url, prefix: 't:', clock, onChange: () => undefined });
    await until(() => redis.vitals.trouble === null);
    const own = new MemoryPacingStore(clock);
    return new Replica(redis, own, new RedisPacingStore(redis, own, clock, { protocol: 'gopher', replica: name }));
  }

  pacer(requestsPerMinute: number, maxWaitMs = 60_000): HostPacer {
    const options = { requestsPerMinute, maxWaitMs, hostWaitLimitMs: 500, variablePrefix: 'GOPHER_' };
    return new HostPacer(options, this.store, clock);
  }
}

beforeAll(async () => {
  server = await RedisServer.start();
});

afterAll(() => server.close());

beforeEach(async () => {
  if (!server.isRunning) await server.restart();
  await server.command('FLUSHALL');
  replicas = await Promise.all(['a', 'b', 'c', 'd'].map((name) => Replica.start(name)));
});

afterEach(() => {
  for (const { redis } of replicas) redis.close();
});

function leastGap(startsMs: number[]): number {
  const sorted = [...startsMs].sort((a, b) => a - b);
  return Math.min(...sorted.slice(1).map((startMs, i) => startMs - (sorted[i] ?? 0)));
}

describe('four replicas at one host', () => {
  test('start one after the other, an interval apart, whoever asks', async () => {
    const startsMs: number[] = [];
    const { signal } = new AbortController();
    setMaxListeners(32, signal);
    const pacers = replicas.map((replica) => replica.pacer(300));
    const jobs = pacers.flatMap((pacer) =>
      Array.from({ length: 4 }, async () => {
        const turn = await pacer.acquire(HOST, signal);
        if (turn.ok) startsMs.push(performance.now());
      }),
    );
    await Promise.all(jobs);
    expect(startsMs).toHaveLength(16);
    expect(leastGap(startsMs)).toBeGreaterThan(200 * 0.95);
    expect(Math.max(...startsMs) - Math.min(...startsMs)).toBeLessThan(15 * 200 * 1.4);
  });

  test('keep the pause that one of them was asked for', async () => {
    const [a, b] = replicas;
    await a?.store.penalise(HOST, 400);
    const decision = await b?.store.reserve(HOST, REQUEST);
    expect(decision).toEqual({ kind: 'wait', waitMs: expect.any(Number) });
    expect(await b?.store.reserve(HOST, { ...REQUEST, maxHostWaitMs: 100 })).toMatchObject({
      kind: 'refuse',
      reason: 'host_asked',
    });
    await a?.store.penalise(HOST, 10);
    expect(await b?.store.reserve(HOST, REQUEST)).toMatchObject({ kind: 'wait' });
  });

  test('count those who stand in line elsewhere before they let another one stand', async () => {
    const [a, b] = replicas;
    expect(await a?.store.reserve(HOST, REQUEST)).toEqual({ kind: 'start' });
    expect(await a?.store.reserve(HOST, { ...REQUEST, standing: 4 })).toMatchObject({ kind: 'wait' });
    expect(await b?.store.reserve(HOST, { ...REQUEST, maxOwnWaitMs: 700 })).toMatchObject({
      kind: 'refuse',
      reason: 'own_pacing',
    });
    expect(await b?.store.reserve(HOST, { ...REQUEST, maxOwnWaitMs: 1100 })).toMatchObject({ kind: 'wait' });
  });

  test('leave nothing behind once all is over', async () => {
    const [a] = replicas;
    await a?.store.reserve(HOST, { ...REQUEST, intervalMs: 100 });
    await a?.store.penalise(HOST, 150);
    expect(await server.keys()).toContain(`t:pace:{${HOST}}:gopher`);
    await sleep(250);
    expect(await server.keys()).not.toContain(`t:pace:{${HOST}}:gopher`);
  });

  test('hold no place of one that died for longer than it would have waited, and 2 s', async () => {
    const [a, b] = replicas;
    await a?.store.reserve(HOST, { ...REQUEST, intervalMs: 100 });
    await a?.store.reserve(HOST, { ...REQUEST, intervalMs: 100, standing: 50 });
    expect(await b?.store.reserve(HOST, { ...REQUEST, intervalMs: 100 })).toMatchObject({ kind: 'refuse' });
    await sleep(2300);
    expect(await b?.store.reserve(HOST, { ...REQUEST, intervalMs: 100 })).toEqual({ kind: 'start' });
  });
});

describe('without Redis', () => {
  test('each goes on with its own spacing, from the last start on', async () => {
    const [a] = replicas;
    expect(await a?.store.reserve(HOST, REQUEST)).toEqual({ kind: 'start' });
    await server.stop();
    expect(await a?.store.reserve(HOST, REQUEST)).toMatchObject({ kind: 'wait' });
    await a?.store.penalise(HOST, 300);
    expect(await a?.store.reserve(HOST, { ...REQUEST, maxHostWaitMs: 100 })).toMatchObject({ reason: 'host_asked' });
  });

  test('a pause that one replica knows is known to all again after Redis lost its memory', async () => {
    const [a, b] = replicas;
    await a?.store.penalise(HOST, 5000);
    await server.restart();
    await until(() => a?.redis.vitals.trouble === null && b?.redis.vitals.trouble === null);
    expect(await a?.store.reserve(HOST, REQUEST)).toMatchObject({ reason: 'host_asked' });
    expect(await b?.store.reserve(HOST, REQUEST)).toMatchObject({ reason: 'host_asked' });
  });

  test('what was written under the key by somebody else is not gone by', async () => {
    const [a] = replicas;
    await server.command('SET', `t:pace:{${HOST}}:gopher`, 'nonsense');
    expect(await a?.store.reserve(HOST, REQUEST)).toEqual({ kind: 'start' });
    expect(await a?.store.reserve(HOST, REQUEST)).toMatchObject({ kind: 'wait' });
  });
});
