/** Private keys under another state key: in files, in Redis, and by processes that are killed in the middle. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AesKeySealer } from '../../src/cert/io/aes-key-sealer.js';
import { FileIdentityArchive } from '../../src/cert/io/file-identity-archive.js';
import { FileIdentityStores } from '../../src/cert/io/file-identity-stores.js';
import type { IdentityArchive } from '../../src/cert/identity-archive.port.js';
import type { IdentityStores } from '../../src/cert/identity-store.port.js';
import { RedisIdentityArchive } from '../../src/cert/redis-identity-archive.js';
import { RedisIdentityStores } from '../../src/cert/redis-identity-stores.js';
import { rekeyIdentities } from '../../src/cert/rekey-identities.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { LOCAL_TENANT } from '../../src/common/principal.js';
import { childScript, type ChildScript } from '../support/child-script.js';
import { add, SCOPE } from '../support/identity-store-contract.js';
import { MemoryIdentityStore } from '../support/memory-identity-store.js';
import { RedisConnections } from '../support/redis-connections.js';
import { RedisServer } from '../support/redis-server.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const OLD = 'ab'.repeat(32);
const NEW = 'cd'.repeat(32);
const KILL_ROUNDS = 6;
const clock = new SystemClock();

let folder: TemporaryFolder;
let directory: string;
let server: RedisServer;
let connections: RedisConnections;

beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await temporaryFolder();
  directory = join(folder.path, 'certs');
  connections = new RedisConnections(server);
  await server.command('FLUSHALL');
});
afterEach(async () => {
  connections.closeAll();
  await folder.remove();
});

interface Place {
  readonly stores: IdentityStores;
  readonly archive: IdentityArchive;
}

const PLACES = {
  async files(sealer: AesKeySealer): Promise<Place> {
    const options = { directory, clock, platform: process.platform, sealer, warn: () => undefined };
    return {
      stores: new FileIdentityStores(options, new MemoryIdentityStore()),
      archive: new FileIdentityArchive(options),
    };
  },
  async Redis(sealer: AesKeySealer): Promise<Place> {
    const redis = await connections.connect();
    return { stores: new RedisIdentityStores(redis, sealer), archive: new RedisIdentityArchive(redis, sealer) };
  },
} as const;

describe.each(['files', 'Redis'] as const)('in %s', (kind) => {
  const open = (current: string | null, previous: string | null = null): Promise<Place> =>
    PLACES[kind](new AesKeySealer(current, previous));

  async function keysOpen(current: string | null): Promise<boolean[]> {
    const { stores } = await open(current);
    const outcomes: boolean[] = [];
    for (const tenant of [LOCAL_TENANT, 'acme']) {
      const registry = await stores.of(tenant).readAll();
      for (const identity of registry.ok ? registry.value.values() : []) {
        const keyPair = await stores.of(tenant).keyPair(identity);
        outcomes.push(keyPair.ok && keyPair.value?.privateKeyPem.startsWith('key ') === true);
      }
    }
    return outcomes;
  }

  async function rekey(current: string | null, previous: string | null): Promise<unknown> {
    const { archive } = await open(current, previous);
    return rekeyIdentities(archive, new AesKeySealer(current, previous));
  }

  test('the keys of all tenants come under the new state key, and a second run finds nothing to do', async () => {
    const { stores } = await open(OLD);
    await add(stores.of(LOCAL_TENANT));
    await add(stores.of(LOCAL_TENANT), { ...SCOPE, path: '/' }, 'bb');
    await add(stores.of('acme'), SCOPE, 'cc');
    expect(await rekey(NEW, OLD)).toEqual({ ok: true, value: { rekeyed: 3, unchanged: 0, left: [] } });
    expect(await keysOpen(NEW)).toEqual([true, true, true]);
    expect(await keysOpen(OLD)).toEqual([false, false, false]);
    expect(await rekey(NEW, OLD)).toEqual({ ok: true, value: { rekeyed: 0, unchanged: 3, left: [] } });
  });

  test('a key that does not open is left as it was, and named', async () => {
    const { stores } = await open(OLD);
    const { keyId } = await add(stores.of(LOCAL_TENANT));
    expect(await rekey(NEW, null)).toEqual({
      ok: true,
      value: {
        rekeyed: 0,
        unchanged: 0,
        left: [{ tenant: LOCAL_TENANT, stem: keyId, reason: { kind: 'other_key', keyId: expect.any(String) } }],
      },
    });
    expect(await keysOpen(OLD)).toEqual([true]);
  });

  test('a key that changed meanwhile is not overwritten', async () => {
    const { stores, archive } = await open(OLD);
    const { keyId } = await add(stores.of(LOCAL_TENANT));
    expect(await archive.replaceKey(LOCAL_TENANT, keyId ?? '', 'what was there before', 'x')).toEqual({
      ok: true,
      value: false,
    });
    expect(await archive.replaceKey(LOCAL_TENANT, 'f'.repeat(32), 'none', 'x')).toEqual({ ok: true, value: false });
    expect(await keysOpen(OLD)).toEqual([true]);
  });
});

describe('files', () => {
  const stores = (current: string | null): FileIdentityStores =>
    new FileIdentityStores(
      { directory, clock, platform: process.platform, sealer: new AesKeySealer(current), warn: () => undefined },
      new MemoryIdentityStore(),
    );

  function rekey(current: string | null, previous: string | null): ReturnType<typeof rekeyIdentities> {
    const sealer = new AesKeySealer(current, previous);
    return rekeyIdentities(new FileIdentityArchive({ directory, clock, platform: process.platform, sealer }), sealer);
  }

  test('go from plain to encrypted and back, for their owner alone', async () => {
    const { keyId } = await add(stores(null).of(LOCAL_TENANT));
    const path = join(directory, `${keyId ?? ''}.key`);
    expect(await rekey(NEW, null)).toMatchObject({ value: { rekeyed: 1 } });
    expect(await readFile(path, 'utf8')).toMatch(/^gopher-mcp-key:1:/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await rekey(null, NEW)).toMatchObject({ value: { rekeyed: 1 } });
    expect(await readFile(path, 'utf8')).toBe('key aa\n');
  });

  let rekeyer: ChildScript;
  beforeAll(async () => {
    rekeyer = await childScript('identity-rekeyer');
  });
  afterAll(() => rekeyer.remove());

  test('survive processes that are killed in the middle: each key opens with one of the two, and a last run finishes', async () => {
    const sealer = new AesKeySealer(OLD);
    await mkdir(directory);
    const stems = Array.from({ length: 300 }, (_, index) => index.toString(16).padStart(32, '0'));
    for (const stem of stems) await writeFile(join(directory, `${stem}.key`), sealer.seal(stem, `key ${stem}\n`));
    const both = new AesKeySealer(NEW, OLD);
    let killed = 0;
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const child = rekeyer.start([directory, NEW, OLD]);
      await child.line((line) => line === 'replacing' || line === 'done');
      await delay(round * 3);
      if (child.process.kill('SIGKILL')) killed++;
      await child.ended;
      for (const stem of stems) {
        const stored = await readFile(join(directory, `${stem}.key`), 'utf8');
        expect(both.open(stem, stored)).toEqual({ ok: true, value: `key ${stem}\n` });
      }
    }
    expect(killed).toBeGreaterThan(0);
    const last = rekeyer.start([directory, NEW, OLD]);
    expect(await last.ended).toBe(0);
    expect(last.lines.at(-1)).toBe('done');
    for (const stem of stems) expect(both.isCurrent(await readFile(join(directory, `${stem}.key`), 'utf8'))).toBe(true);
    expect((await readdir(directory)).filter((name) => !name.endsWith('.key'))).toEqual([]);
  });
});
