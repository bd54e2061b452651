/** Identities that replicas share, over a real Redis: races, tenants, sealed keys, and Redis in trouble. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AesKeySealer } from '../../src/cert/io/aes-key-sealer.js';
import { IdentityService } from '../../src/cert/identity.service.js';
import { scopeKey } from '../../src/cert/core/identity-record.js';
import { RedisIdentityStores } from '../../src/cert/redis-identity-stores.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { failure } from '../../src/common/error-codes.js';
import { LOCAL_TENANT } from '../../src/common/principal.js';
import { add, describeIdentityStore, minted, SCOPE } from '../support/identity-store-contract.js';
import { RedisConnections, turnOf } from '../support/redis-connections.js';
import { RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const STATE_KEY = 'ab'.repeat(32);
const UNAVAILABLE = { ok: false, error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } };

jest.setTimeout(30_000);

let server: RedisServer;
let connections: RedisConnections;

beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  connections = new RedisConnections(server);
  if (!server.isRunning) await server.restart();
  await server.command('FLUSHALL');
});
afterEach(() => {
  server.thaw();
  connections.closeAll();
});

async function open(stateKey = STATE_KEY): Promise<RedisIdentityStores> {
  return new RedisIdentityStores(await connections.connect(), new AesKeySealer(stateKey));
}

describeIdentityStore('RedisIdentityStore', async () => {
  const [stores, others] = [await open(), await open()];
  return { store: stores.of(LOCAL_TENANT), another: () => others.of(LOCAL_TENANT), dispose: () => Promise.resolve() };
});

describe('replicas', () => {
  test('that make an identity for one scope at once keep one, and the others are refused', async () => {
    const replicas = await Promise.all(Array.from({ length: 4 }, () => open()));
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const store = turnOf(replicas, index).of(LOCAL_TENANT);
        const byte = (16 + index).toString(16);
        return store.add(SCOPE, minted(byte), (registry) =>
          registry.size === 0 ? null : failure('CERTIFICATE_EXISTS', 'there is one'),
        );
      }),
    );
    const kept = outcomes.flatMap((one) => (one.ok ? [one.value] : []));
    expect(kept).toHaveLength(1);
    const store = (await open()).of(LOCAL_TENANT);
    expect(await store.readAll()).toEqual({ ok: true, value: new Map([[scopeKey(SCOPE), kept[0]]]) });
    // Nothing is left of the others: one certificate, one key.
    const [files = ''] = (await server.keys()).filter((key) => key.includes('identity-files'));
    expect(await server.command('HLEN', files)).toBe(':2\r\n');
  });
});

describe('what is stored', () => {
  test('holds no private key that could be read', async () => {
    const store = (await open()).of(LOCAL_TENANT);
    await add(store);
    const [files = ''] = (await server.keys()).filter((key) => key.includes('identity-files'));
    const content = await server.command('HVALS', files);
    expect(content).toContain('gopher-mcp-key:1:');
    expect(content).not.toContain('key aa');
  });

  test('does not open with another state key, and nothing is lost', async () => {
    const identity = await add((await open()).of(LOCAL_TENANT));
    const store = (await open('cd'.repeat(32))).of(LOCAL_TENANT);
    expect(await store.keyPair(identity)).toMatchObject({
      ok: false,
      error: { code: 'TLS_ERROR', facts: { next_step: expect.stringContaining('GOPHER_MCP_STATE_KEY') } },
    });
    expect(await store.isUsable(identity)).toBe(true);
    expect(await (await open()).of(LOCAL_TENANT).keyPair(identity)).toMatchObject({ ok: true });
  });

  test('goes with the identity that is replaced or removed', async () => {
    const store = (await open()).of(LOCAL_TENANT);
    await add(store);
    const later = await add(store, SCOPE, 'bb');
    const [files = ''] = (await server.keys()).filter((key) => key.includes('identity-files'));
    expect(await server.command('HLEN', files)).toBe(':2\r\n');
    await store.remove(later);
    expect(await server.command('HLEN', files)).toBe(':0\r\n');
  });

  test('is damaged when it has a wrong shape, and then no request goes out without its identity', async () => {
    const stores = await open();
    await add(stores.of(LOCAL_TENANT));
    const [registry = ''] = (await server.keys()).filter((key) => key.includes('identities:'));
    await server.command('HSET', registry, scopeKey(SCOPE), '{"host":1}', '@version', 'x');
    expect(await stores.of(LOCAL_TENANT).readAll()).toMatchObject(UNAVAILABLE);
    const service = new IdentityService(stores, { mint: () => Promise.resolve(minted()) }, new SystemClock(), {
      enabled: true,
    });
    expect(await service.forRequest(LOCAL_TENANT, SCOPE)).toMatchObject(UNAVAILABLE);
  });
});

describe('tenants', () => {
  test('see only their own, and are counted together', async () => {
    const stores = await open();
    const [one, other] = [stores.of('acme'), stores.of('globex')];
    const identity = await add(one);
    await add(other, { ...SCOPE, path: '/' }, 'bb');
    await add(stores.of(LOCAL_TENANT), SCOPE, 'cc');
    expect(await other.keyPair(identity)).toEqual({ ok: true, value: null });
    expect(await one.readAll()).toEqual({ ok: true, value: new Map([[scopeKey(SCOPE), identity]]) });
    const fresh = await open();
    expect(await fresh.all.readAll()).toEqual({ ok: true, value: { size: 3 } });
    expect(await fresh.tenants()).toEqual({ ok: true, value: ['acme', 'globex', LOCAL_TENANT] });
  });

  test.each(['', '../x', 'a{b}'])('there is no place for one named %j', async (name) => {
    const store = (await open()).of(name);
    expect(await store.readAll()).toMatchObject(UNAVAILABLE);
    expect(await store.add(SCOPE, minted(), () => null)).toMatchObject(UNAVAILABLE);
    expect((await server.keys()).filter((key) => key.includes('identit'))).toEqual([]);
  });
});

describe('without Redis', () => {
  test('that is stopped every answer is a failure within two seconds, and it recovers', async () => {
    const stores = await open();
    const store = stores.of(LOCAL_TENANT);
    const identity = await add(store);
    await server.stop();
    const startMs = performance.now();
    const answers = await Promise.all([
      store.readAll(),
      store.keyPair(identity),
      store.remove(identity),
      store.add({ ...SCOPE, path: '/' }, minted(), () => null),
      stores.all.readAll(),
    ]);
    expect(performance.now() - startMs).toBeLessThan(2000);
    for (const answer of answers) expect(answer).toMatchObject(UNAVAILABLE);
    expect(await stores.all.isWritable()).toBe(false);
    // Only one whose files are gone may be replaced unasked.
    expect(await store.isUsable(identity)).toBe(true);
    await server.restart();
    expect(await until(async () => (await store.readAll()).ok)).toBeLessThan(3000);
    // It came back empty: what was read before does not count.
    expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
  });

  test('that is full nothing is made, and an identity can be removed', async () => {
    const store = (await open()).of(LOCAL_TENANT);
    const identity = await add(store);
    await server.setFull(true);
    expect(await store.add({ ...SCOPE, path: '/' }, minted('bb'), () => null)).toMatchObject(UNAVAILABLE);
    expect(await store.remove(identity)).toEqual({ ok: true, value: { keyRemains: false } });
    await server.setFull(false);
    expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
  });
});
