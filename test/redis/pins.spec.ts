/** Pins that replicas share, over a real Redis: races, sightings, and Redis in trouble. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SystemClock } from '../../src/clock/system-clock.js';
import { Deadline } from '../../src/common/deadline.js';
import type { Failure } from '../../src/common/error-codes.js';
import { PinChanges, TrustService, type PresentedCertificate } from '../../src/trust/index.js';
import { RedisTrustStore, SHARED_SIGHTINGS_EVERY_MS } from '../../src/trust/redis-trust-store.js';
import { FakeClock } from '../support/fake-clock.js';
import { RedisConnections, turnOf } from '../support/redis-connections.js';
import { RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';
import { describeTrustStore, HOST, put, somePin } from '../support/trust-store-contract.js';

const clock = new SystemClock();
const UNAVAILABLE = { ok: false, error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } };

jest.setTimeout(30_000);

let server: RedisServer;
let connections: RedisConnections;
let warnings: Failure[];

beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  connections = new RedisConnections(server);
  warnings = [];
  if (!server.isRunning) await server.restart();
  await server.command('FLUSHALL');
});
afterEach(() => {
  server.thaw();
  connections.closeAll();
});

async function openStore(over: { clock?: FakeClock } = {}): Promise<RedisTrustStore> {
  return new RedisTrustStore({
    redis: await connections.connect(),
    clock: over.clock ?? clock,
    warn: (failure) => warnings.push(failure),
  });
}

describeTrustStore('RedisTrustStore', async () => {
  const [redis, other] = [await connections.connect(), await connections.connect()];
  const open = (connection: typeof redis): RedisTrustStore =>
    new RedisTrustStore({ redis: connection, clock, warn: (failure) => warnings.push(failure) });
  return { store: open(redis), another: () => open(other), dispose: () => Promise.resolve() };
});

describe('replicas', () => {
  function presented(byte: string): PresentedCertificate {
    const nowMs = Date.now();
    return { fingerprint: byte.repeat(32), spki: null, notBeforeMs: nowMs - 1000, notAfterMs: nowMs + 86_400_000 };
  }

  async function replicas(count: number): Promise<TrustService[]> {
    const stores = await Promise.all(Array.from({ length: count }, () => openStore()));
    const options = { enabled: true, rejectExpired: false, renewal: { expired: false, sameKey: false } };
    return stores.map((store) => new TrustService(store, new PinChanges(), clock, options));
  }

  test('that meet a capsule 200 times at once make one pin, and all answers agree with it', async () => {
    const services = await replicas(4);
    // An attacker is among them: half of the contacts are shown another certificate.
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const byte = index % 3 === 0 ? 'bb' : 'aa';
        const verified = await turnOf(services, index).verify(HOST.host, HOST.port, presented(byte));
        return { byte, answer: verified.ok ? 'ok' : verified.error.code };
      }),
    );
    const pinned = await (await openStore()).readAll();
    const fingerprints = pinned.ok ? [...pinned.value.values()].map(({ fingerprint }) => fingerprint) : [];
    expect(fingerprints).toHaveLength(1);
    for (const { byte, answer } of outcomes)
      expect(answer).toBe(fingerprints[0] === byte.repeat(32) ? 'ok' : 'CERTIFICATE_CHANGED');
  });

  test('that meet it with the same certificate all pass, and only one of them pinned it', async () => {
    const services = await replicas(4);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => turnOf(services, index).verify(HOST.host, HOST.port, presented('aa'))),
    );
    expect(outcomes.filter((one) => !one.ok)).toEqual([]);
    const firstUses = outcomes.filter((one) => one.ok && one.value.warning !== null);
    expect(firstUses).toHaveLength(1);
  });

  test('never undo a removal, whatever they remember and whenever they write it', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore()));
    const [first] = stores;
    if (first === undefined) throw new Error('four stores');
    await put(first, somePin());
    const sighting = { ...somePin(), seenSeconds: 1_750_000_000, expiresSeconds: 0 };
    await Promise.all(
      stores.map(async (store, index) => {
        store.sighted(HOST, sighting);
        if (index === 0) await store.update(HOST, () => ({ write: null, value: null }));
        await store.close();
      }),
    );
    for (const store of stores) await store.close();
    expect(await first.readAll()).toEqual({ ok: true, value: new Map() });
  });

  test('keep members of a pin that none of them knows', async () => {
    const store = await openStore();
    await put(store, { ...somePin(), extra: { note: { from: 'elsewhere', n: [1.5, 0.1] } } });
    store.sighted(HOST, { ...somePin(), seenSeconds: 1_750_000_000.123456, expiresSeconds: 0 });
    await store.close();
    expect(await (await openStore()).read(HOST)).toMatchObject({
      value: { lastSeenSeconds: 1_750_000_000.123456, extra: { note: { from: 'elsewhere', n: [1.5, 0.1] } } },
    });
  });

  test('write sightings by themselves, once a minute', async () => {
    const fake = new FakeClock();
    const store = await openStore({ clock: fake });
    const other = await openStore();
    await put(store, somePin());
    const seen = (seconds: number): void =>
      store.sighted(HOST, { ...somePin(), seenSeconds: seconds, expiresSeconds: 0 });
    seen(1_750_000_000);
    expect(await other.read(HOST)).toMatchObject({ value: { lastSeenSeconds: somePin().lastSeenSeconds } });
    fake.advance(SHARED_SIGHTINGS_EVERY_MS);
    seen(1_750_000_060);
    await until(async () => {
      const pin = await other.read(HOST);
      return pin.ok && pin.value?.lastSeenSeconds === 1_750_000_060;
    });
  });
});

describe('without Redis', () => {
  async function timed<T>(work: Promise<T>): Promise<[T, number]> {
    const startMs = performance.now();
    return [await work, performance.now() - startMs];
  }

  const troubles: readonly (readonly [string, () => Promise<void> | void, () => Promise<void> | void])[] = [
    ['stopped', () => server.stop(), () => server.restart()],
    ['frozen', () => server.freeze(), () => server.thaw()],
  ];

  test.each(troubles)(
    'that is %s every answer is a failure within two seconds, and it recovers',
    async (_, begin, end) => {
      const store = await openStore();
      await put(store, somePin());
      await begin();
      for (const ask of [() => store.read(HOST), () => store.readAll(), () => put(store, somePin('bb'))]) {
        const [answer, tookMs] = await timed<unknown>(ask());
        expect(answer).toMatchObject({
          ...UNAVAILABLE,
          error: { facts: { next_step: expect.stringContaining('GOPHER_MCP_REDIS_URL') } },
        });
        expect(tookMs).toBeLessThan(2000);
      }
      expect(await store.isWritable()).toBe(false);
      await end();
      const [, recoveredMs] = await timed(until(async () => (await store.read(HOST)).ok));
      expect(recoveredMs).toBeLessThan(3000);
      await until(() => store.isWritable());
    },
  );

  test('that is full nothing is pinned, a pin is still found, and one can be removed', async () => {
    const store = await openStore();
    await put(store, somePin());
    await server.setFull(true);
    expect(await put(store, somePin('bb'), { ...HOST, port: 1966 })).toMatchObject(UNAVAILABLE);
    expect(await store.read(HOST)).toEqual({ ok: true, value: somePin() });
    expect(await store.update(HOST, () => ({ write: null, value: 'removed' }))).toEqual({ ok: true, value: 'removed' });
    await server.setFull(false);
    expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
  });

  test('sightings that cannot be written are told, kept and written later', async () => {
    const store = await openStore();
    await put(store, somePin());
    store.sighted(HOST, { ...somePin(), seenSeconds: 1_750_000_000, expiresSeconds: 0 });
    server.freeze();
    await store.close();
    server.thaw();
    expect(warnings).toHaveLength(1);
    await until(async () => (await store.read(HOST)).ok);
    await store.close();
    expect(await (await openStore()).read(HOST)).toMatchObject({ value: { lastSeenSeconds: 1_750_000_000 } });
  });

  test('a caller that gives up does not wait for it', async () => {
    const store = await openStore();
    server.freeze();
    const deadline = new Deadline(clock, 50);
    const [answer, tookMs] = await timed(store.update(HOST, () => ({ write: somePin(), value: null }), deadline));
    server.thaw();
    expect(answer).toMatchObject({ ok: false, error: { code: 'FETCH_ERROR', facts: { reason: 'timeout' } } });
    expect(tookMs).toBeLessThan(500);
  });

  test.each(['{', '{}', '[]', 'null', '{"host":"a.example"}'])(
    'what is no pin (%s) is never taken for none',
    async (text) => {
      const store = await openStore();
      await put(store, somePin('bb'), { ...HOST, port: 1966 });
      const [hash = ''] = (await server.keys()).filter((key) => key.includes('pins'));
      await server.command('HSET', hash, 'a.example:1965', text);
      expect(await store.read(HOST)).toMatchObject(UNAVAILABLE);
      expect(await put(store, somePin())).toMatchObject(UNAVAILABLE);
      expect(await store.readAll()).toMatchObject(UNAVAILABLE);
    },
  );
});
