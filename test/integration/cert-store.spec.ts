/** Identities on disk: the files and their modes, what is cleared and what is not, and a registry that cannot be read. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdentityRecord } from '../../src/cert/core/identity-record.js';
import { AesKeySealer } from '../../src/cert/io/aes-key-sealer.js';
import { noTenantFailure } from '../../src/cert/core/identity-messages.js';
import { FileIdentityStore } from '../../src/cert/io/file-identity-store.js';
import { FileIdentityStores, KEPT_STORES } from '../../src/cert/io/file-identity-stores.js';
import { IdentityService } from '../../src/cert/identity.service.js';
import { UnavailableIdentityStore } from '../../src/cert/unavailable-identity-store.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import type { Failure } from '../../src/common/error-codes.js';
import { LOCAL_TENANT } from '../../src/common/principal.js';
import { nodeFileSystem, type FileSystem } from '../../src/file-store/index.js';
import { add, describeIdentityStore, minted, SCOPE } from '../support/identity-store-contract.js';
import { MemoryIdentityStores } from '../support/memory-identity-store.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const UNAVAILABLE = { ok: false, error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } };

const STATE_KEY = 'ab'.repeat(32);

let folder: TemporaryFolder;
let directory: string;
let warnings: Failure[];

beforeEach(async () => {
  folder = await temporaryFolder();
  directory = join(folder.path, 'certs');
  warnings = [];
});
afterEach(() => folder.remove());

function open(over: Partial<ConstructorParameters<typeof FileIdentityStore>[0]> = {}): FileIdentityStore {
  return new FileIdentityStore({
    directory,
    clock: new SystemClock(),
    platform: process.platform,
    warn: (failure) => warnings.push(failure),
    ...over,
  });
}

function service(store: FileIdentityStore): IdentityService {
  const minter = { mint: () => Promise.resolve(minted()) };
  return new IdentityService(new MemoryIdentityStores({ [LOCAL_TENANT]: store }), minter, new SystemClock(), {
    enabled: true,
  });
}

async function mode(name: string): Promise<number> {
  return (await stat(join(directory, name))).mode & 0o777;
}

/** Makes every file in the folder but the registry look an hour and more old. */
async function ageFiles(): Promise<void> {
  const then = Date.now() / 1000 - 3700;
  for (const name of await readdir(directory))
    if (name !== 'registry.json') await utimes(join(directory, name), then, then);
}

async function filesOf({ keyId }: IdentityRecord): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith(keyId ?? '?')).sort();
}

describeIdentityStore('FileIdentityStore', async () => ({
  store: open(),
  another: () => open(),
  dispose: () => Promise.resolve(),
}));

describeIdentityStore('FileIdentityStore with a state key', async () => ({
  store: open({ sealer: new AesKeySealer(STATE_KEY) }),
  another: () => open({ sealer: new AesKeySealer(STATE_KEY) }),
  dispose: () => Promise.resolve(),
}));

describe('private keys', () => {
  const NEXT_KEY = 'cd'.repeat(32);
  const PLAIN = { ok: true, value: { certificatePem: 'certificate aa\n', privateKeyPem: 'key aa\n' } };
  const withKeys = (current: string | null, previous: string | null = null): FileIdentityStore =>
    open({ sealer: new AesKeySealer(current, previous) });

  async function keyFile({ keyId }: IdentityRecord): Promise<string> {
    return readFile(join(directory, `${keyId ?? '?'}.key`), 'utf8');
  }

  test('are PEM that gopher-mcp 0.10 reads while there is no state key', async () => {
    expect(await keyFile(await add(withKeys(null)))).toBe('key aa\n');
  });

  test('are encrypted where there is one, and only they', async () => {
    const identity = await add(withKeys(STATE_KEY));
    expect(await keyFile(identity)).toMatch(/^gopher-mcp-key:1:[0-9a-f]{16}:[\w+/]+=*\n$/);
    expect(await mode(`${identity.keyId ?? '?'}.key`)).toBe(0o600);
    expect(await readFile(join(directory, `${identity.keyId ?? '?'}.crt`), 'utf8')).toBe('certificate aa\n');
    expect(await withKeys(STATE_KEY).keyPair(identity)).toEqual(PLAIN);
  });

  test('that are plain are read where there is a state key as well', async () => {
    const identity = await add(withKeys(null));
    expect(await withKeys(STATE_KEY).keyPair(identity)).toEqual(PLAIN);
  });

  test('of the state key before are read while that is still named', async () => {
    const identity = await add(withKeys(STATE_KEY));
    expect(await withKeys(NEXT_KEY, STATE_KEY).keyPair(identity)).toEqual(PLAIN);
  });

  test.each([
    ['missing', null],
    ['another', NEXT_KEY],
  ])('do not open while the state key is %s, and nothing is lost', async (_, current) => {
    const identity = await add(withKeys(STATE_KEY));
    const store = withKeys(current);
    expect(await store.keyPair(identity)).toMatchObject({
      ok: false,
      error: { code: 'TLS_ERROR', facts: { next_step: expect.stringContaining('GOPHER_MCP_STATE_KEY') } },
    });
    expect(await store.isUsable(identity)).toBe(true);
    await add(store, { ...SCOPE, path: '/other/' }, 'bb');
    await ageFiles();
    await add(store, { ...SCOPE, path: '/third/' }, 'cc');
    expect(await withKeys(STATE_KEY).keyPair(identity)).toEqual(PLAIN);
  });

  test('that were swapped between identities do not open', async () => {
    const store = withKeys(STATE_KEY);
    const [one, other] = [await add(store), await add(store, { ...SCOPE, path: '/other/' }, 'bb')];
    await writeFile(join(directory, `${one.keyId ?? '?'}.key`), await keyFile(other));
    expect(await store.keyPair(one)).toMatchObject({ ok: false, error: { code: 'TLS_ERROR' } });
  });
});

describe('files', () => {
  test('are for their owner alone', async () => {
    const { keyId } = await add(open());
    expect((await readdir(directory)).sort()).toEqual([`${keyId}.crt`, `${keyId}.key`, 'registry.json'].sort());
    for (const name of [`${keyId}.crt`, `${keyId}.key`, 'registry.json']) expect(await mode(name)).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  test('are registered in the format that gopher-mcp 0.10 reads', async () => {
    const { keyId } = await add(open(), { ...SCOPE, path: '/ä/' });
    const text = await readFile(join(directory, 'registry.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({
      'a.example:1965/ä/': {
        fingerprint: `sha256:${'aa'.repeat(32)}`,
        subject: 'O=o,CN=c',
        issuer: 'O=o,CN=c',
        not_before: '2026-01-01T00:00:00+00:00',
        not_after: '2027-01-01T00:00:00+00:00',
        host: 'a.example',
        port: 1965,
        path: '/ä/',
        key_id: keyId,
      },
    });
    expect(text).toContain('"a.example:1965/\\u00e4/": {\n    "fingerprint"');
  });

  test('are read once, and again when they change', async () => {
    let reads = 0;
    const fs: FileSystem = {
      ...nodeFileSystem,
      open: async (...args) => {
        if (args[1] === 'r' && /\.(?:crt|key)$/.test(String(args[0]))) reads += 1;
        return nodeFileSystem.open(...args);
      },
    };
    const store = open({ fs });
    const identity = await add(store);
    for (let i = 0; i < 3; i++) await store.keyPair(identity);
    expect(reads).toBe(2);
    await writeFile(join(directory, `${identity.keyId}.key`), 'another key, imported by hand\n');
    expect(await store.keyPair(identity)).toMatchObject({
      value: { privateKeyPem: 'another key, imported by hand\n' },
    });
    expect(reads).toBe(4);
  });

  test('of more identities than are kept in memory are read again', async () => {
    const store = open();
    const identities = [];
    for (let i = 0; i < 70; i++) identities.push(await add(store, { ...SCOPE, path: `/${i}/` }));
    for (const identity of [...identities, ...identities]) {
      expect(await store.keyPair(identity)).toMatchObject({ value: { privateKeyPem: 'key aa\n' } });
    }
  });

  test.each(['crt', 'key'])('without the .%s are no identity to present', async (extension) => {
    const store = open();
    const identity = await add(store);
    await store.keyPair(identity);
    await unlink(join(directory, `${identity.keyId}.${extension}`));
    expect(await store.isUsable(identity)).toBe(false);
    expect(await store.keyPair(identity)).toEqual({ ok: true, value: null });
  });

  test('that cannot be read fail the request: another identity must not take their place unasked', async () => {
    const store = open();
    const identity = await add(store);
    await unlink(join(directory, `${identity.keyId}.key`));
    await mkdir(join(directory, `${identity.keyId}.key`));
    expect(await store.keyPair(identity)).toMatchObject({ error: { code: 'TLS_ERROR' } });
    expect(await store.isUsable(identity)).toBe(false);
  });

  test('of old entries are found under the common name, and kept while another entry shares them', async () => {
    const entry = {
      fingerprint: 'aa'.repeat(32),
      subject: 'O=Gemini Client,CN=gemini-client-a.example-1',
      issuer: 'O=Gemini Client,CN=gemini-client-a.example-1',
      not_before: '2026-01-01T00:00:00+00:00',
      not_after: '2027-01-01T00:00:00+00:00',
      host: 'a.example',
    };
    await mkdir(directory);
    await writeFile(
      join(directory, 'registry.json'),
      JSON.stringify({
        'a.example:1965/': entry,
        'a.example:1965/x': { ...entry, path: '/x', fingerprint: 'bb'.repeat(32) },
      }),
    );
    for (const extension of ['crt', 'key'])
      await writeFile(join(directory, `gemini-client-a.example-1.${extension}`), extension);
    const store = open();
    const registry = await store.readAll();
    const [one, other] = registry.ok ? [...registry.value.values()] : [];
    expect(await store.keyPair(one!)).toEqual({ ok: true, value: { certificatePem: 'crt', privateKeyPem: 'key' } });
    await store.remove(one!);
    expect(await store.isUsable(other!)).toBe(true);
    await store.remove(other!);
    expect(await readdir(directory)).toEqual(['registry.json']);
  });
});

describe('when writing fails', () => {
  function failing(what: (path: string) => boolean, call: 'open' | 'rename' | 'unlink'): FileSystem {
    const error = Object.assign(new Error('no'), { code: 'EIO' });
    const fs: FileSystem = { ...nodeFileSystem };
    if (call === 'open')
      fs.open = async (...args) => (what(String(args[0])) ? Promise.reject(error) : nodeFileSystem.open(...args));
    if (call === 'rename')
      fs.rename = async (from, to) => (what(String(to)) ? Promise.reject(error) : nodeFileSystem.rename(from, to));
    if (call === 'unlink')
      fs.unlink = async (path) => (what(String(path)) ? Promise.reject(error) : nodeFileSystem.unlink(path));
    return fs;
  }

  test.each([
    ['the key', (path: string) => path.endsWith('.key'), 'open'],
    ['the certificate', (path: string) => path.endsWith('.crt'), 'open'],
    ['the registry', (path: string) => path.endsWith('registry.json'), 'rename'],
  ] as const)('of %s nothing of a new identity is left', async (_, what, call) => {
    const existing = await add(open(), { ...SCOPE, path: '/' }, 'bb');
    const store = open({ fs: failing(what, call) });
    expect(await store.add(SCOPE, minted(), () => null)).toMatchObject(UNAVAILABLE);
    expect((await readdir(directory)).sort()).toEqual([...(await filesOf(existing)), 'registry.json']);
    expect(await store.readAll()).toMatchObject({ value: new Map([['a.example:1965/', existing]]) });
  });

  test('of the registry a removed identity stays whole', async () => {
    const identity = await add(open());
    const store = open({ fs: failing((path) => path.endsWith('registry.json'), 'rename') });
    expect(await store.remove(identity)).toMatchObject(UNAVAILABLE);
    expect(await open().isUsable(identity)).toBe(true);
  });

  test('a key that cannot be deleted is reported, and its identity is gone all the same', async () => {
    const identity = await add(open());
    const store = open({ fs: failing((path) => path.endsWith('.key'), 'unlink') });
    expect(await store.remove(identity)).toEqual({ ok: true, value: { keyRemains: true } });
    expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
    expect(await filesOf(identity)).toEqual([`${identity.keyId}.key`]);
  });

  test('in a folder that cannot be made nothing is created', async () => {
    await writeFile(directory, '');
    expect(await open().add(SCOPE, minted(), () => null)).toMatchObject(UNAVAILABLE);
  });
});

describe('files that no entry names', () => {
  const orphans = ['0'.repeat(32), '1'.repeat(32)].flatMap((stem) => [`${stem}.key`, `${stem}.crt`]);
  const others = ['note.txt', 'imported.key', `${'A'.repeat(32)}.key`, `${'0'.repeat(31)}.crt`];

  async function scatter(): Promise<void> {
    for (const name of [...orphans, ...others]) await writeFile(join(directory, name), 'x');
  }

  test.each(['creation', 'removal'])('are cleared by a %s once they are old, and nothing else', async (change) => {
    const store = open();
    const first = await add(store, { ...SCOPE, path: '/1/' });
    const second = await add(store, { ...SCOPE, path: '/2/' });
    await scatter();
    await ageFiles();
    if (change === 'creation') await add(store, SCOPE);
    else await store.remove(second);
    const names = await readdir(directory);
    for (const name of orphans) expect(names).not.toContain(name);
    for (const name of others) expect(names).toContain(name);
    expect(await filesOf(first)).toHaveLength(2);
  });

  test('are left alone while they are young: another process may be about to register them', async () => {
    const store = open();
    await add(store, { ...SCOPE, path: '/1/' });
    await scatter();
    await add(store, SCOPE);
    expect(await readdir(directory)).toEqual(expect.arrayContaining(orphans));
  });

  test('are left alone beside a registry that was lost: they are all that remains of identities', async () => {
    const identity = await add(open());
    await ageFiles();
    await rm(join(directory, 'registry.json'));
    await add(open(), { ...SCOPE, path: '/new/' });
    expect(await filesOf(identity)).toHaveLength(2);
  });

  test('of an entry that was replaced go with it', async () => {
    const store = open();
    const identity = await add(store);
    await unlink(join(directory, `${identity.keyId}.key`));
    await add(store, SCOPE, 'bb');
    expect(await filesOf(identity)).toEqual([]);
  });
});

describe('a registry that cannot be read', () => {
  beforeEach(async () => {
    await mkdir(directory);
    await writeFile(join(directory, 'registry.json'), '{bad');
  });

  test('is no obstacle to fetches, is logged once, and is reported by the tools', async () => {
    const identities = service(open());
    for (let i = 0; i < 3; i++) {
      expect(await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/' })).toEqual({
        ok: true,
        value: null,
      });
    }
    expect(warnings).toMatchObject([{ code: 'CERTIFICATE_STORE_UNAVAILABLE' }]);
    expect(await identities.list(LOCAL_TENANT, null)).toMatchObject(UNAVAILABLE);
    expect(await identities.planCreate(LOCAL_TENANT, SCOPE, null)).toMatchObject(UNAVAILABLE);
    expect(await identities.planRemove(LOCAL_TENANT, SCOPE, '0'.repeat(64))).toMatchObject(UNAVAILABLE);
  });

  test('is never overwritten', async () => {
    expect(await open().add(SCOPE, minted(), () => null)).toMatchObject(UNAVAILABLE);
    expect(await readdir(directory)).toEqual(['registry.json']);
    expect(await readFile(join(directory, 'registry.json'), 'utf8')).toBe('{bad');
  });

  test('is served again as soon as it is repaired, and logged again when it breaks again', async () => {
    const identities = service(open());
    await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/' });
    await writeFile(join(directory, 'registry.json'), '{}');
    expect(await identities.list(LOCAL_TENANT, null)).toMatchObject({ ok: true });
    await writeFile(join(directory, 'registry.json'), '{worse');
    await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/' });
    expect(warnings).toHaveLength(2);
  });
});

test('an identity made by another process is presented at the next request', async () => {
  const identities = service(open());
  expect(await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/app/x' })).toEqual({
    ok: true,
    value: null,
  });
  await add(open());
  expect(await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/app/x' })).toMatchObject({
    value: { privateKeyPem: 'key aa\n' },
  });
});

describe('of tenants', () => {
  function openAll(over: Partial<ConstructorParameters<typeof FileIdentityStores>[0]> = {}): FileIdentityStores {
    return new FileIdentityStores(
      {
        directory,
        clock: new SystemClock(),
        platform: process.platform,
        warn: (failure) => warnings.push(failure),
        ...over,
      },
      new UnavailableIdentityStore(noTenantFailure()),
    );
  }

  test("the local one's lie where they lay without tenants", async () => {
    const identity = await add(open());
    expect(await openAll().of(LOCAL_TENANT).isUsable(identity)).toBe(true);
    expect(await readdir(directory)).not.toContain('tenants');
  });

  test('each has a private folder of its own, in the same format', async () => {
    const stores = openAll();
    const { keyId } = await add(stores.of('acme.example'));
    const own = join(directory, 'tenants', 'acme=example');
    expect((await readdir(own)).sort()).toEqual([`${keyId}.crt`, `${keyId}.key`, 'registry.json'].sort());
    for (const path of [directory, join(directory, 'tenants'), own]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    expect(await stores.of('globex').readAll()).toEqual({ ok: true, value: new Map() });
    expect(await stores.of(LOCAL_TENANT).readAll()).toEqual({ ok: true, value: new Map() });
    expect(await openAll().of('acme.example').readAll()).toMatchObject({ value: { size: 1 } });
  });

  test.each(['..', '.', '', '../globex', 'a/b', 'a\\b', 'a\0', 'a ', 'é', '-a', 'a'.repeat(65)])(
    'there is no place for one named %j, and nothing is written',
    async (name) => {
      const store = openAll().of(name);
      expect(await store.readAll()).toMatchObject(UNAVAILABLE);
      expect(await store.add(SCOPE, minted(), () => null)).toMatchObject(UNAVAILABLE);
      expect(await readdir(folder.path)).toEqual([]);
    },
  );

  test('all are counted together, and one that cannot be read troubles itself alone', async () => {
    const stores = openAll();
    await add(stores.of(LOCAL_TENANT));
    await add(stores.of('acme'));
    await add(stores.of('globex'));
    expect(await stores.all.readAll()).toEqual({ ok: true, value: { size: 3 } });
    await writeFile(join(directory, 'tenants', 'acme', 'registry.json'), 'no JSON');
    const later = openAll();
    expect(await later.all.readAll()).toEqual({ ok: true, value: { size: 2 } });
    expect(await later.of('acme').readAll()).toMatchObject(UNAVAILABLE);
    expect(await later.of('globex').readAll()).toMatchObject({ ok: true });
  });

  test('the same store serves as long as it is among those used last', () => {
    const stores = openAll();
    const first = stores.of('first');
    for (let i = 1; i < KEPT_STORES; i++) stores.of(`t${i}`);
    expect(stores.of('first')).toBe(first);
    for (let i = 0; i < KEPT_STORES; i++) stores.of(`u${i}`);
    expect(stores.of('first')).not.toBe(first);
  });
});
