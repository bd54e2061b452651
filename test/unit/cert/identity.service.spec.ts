import { beforeEach, describe, expect, test } from '@jest/globals';
import { fail, type Failure } from '../../../src/common/error-codes.js';
import type { Plan } from '../../../src/common/plan.js';
import { LOCAL_TENANT } from '../../../src/common/principal.js';
import type { Result } from '../../../src/common/result.js';
import type { IdentityRecord } from '../../../src/cert/core/identity-record.js';
import type { Scope } from '../../../src/cert/core/scope.js';
import type { IdentityMinter } from '../../../src/cert/identity-minter.port.js';
import { IdentityService, type ClientCertUpdate } from '../../../src/cert/identity.service.js';
import type { IdentityStore } from '../../../src/cert/identity-store.port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { add, minted } from '../../support/identity-store-contract.js';
import { MemoryIdentityStore, MemoryIdentityStores } from '../../support/memory-identity-store.js';

const START_MS = Date.UTC(2026, 5, 1);
const UNAVAILABLE = fail('CERTIFICATE_STORE_UNAVAILABLE', 'broken');
const HOST = { host: 'a.example', port: 1965 };

let clock: FakeClock;
let store: MemoryIdentityStore;
let mintedKinds: string[];

beforeEach(() => {
  clock = new FakeClock(START_MS);
  store = new MemoryIdentityStore();
  mintedKinds = [];
});

const minter: IdentityMinter = {
  mint: async (keyType) => {
    mintedKinds.push(keyType);
    return minted(String(mintedKinds.length).padStart(2, '0'));
  },
};

const brokenStore: IdentityStore = {
  readAll: async () => UNAVAILABLE,
  isWritable: async () => false,
  isUsable: async () => false,
  keyPair: async () => UNAVAILABLE,
  add: async () => UNAVAILABLE,
  remove: async () => UNAVAILABLE,
};

function service(enabled = true, over: IdentityStore = store): IdentityService {
  return new IdentityService(new MemoryIdentityStores({ [LOCAL_TENANT]: over }), minter, clock, { enabled });
}

function at(path: string): Scope {
  return { ...HOST, path };
}

function confirmed<T>(plan: Result<Plan<T>, Failure>): Extract<Plan<T>, { kind: 'confirm' }> {
  if (!plan.ok || plan.value.kind !== 'confirm') throw new Error(`no question: ${JSON.stringify(plan)}`);
  return plan.value;
}

async function create(identities: IdentityService, path: string): Promise<ClientCertUpdate> {
  const created = await confirmed(await identities.planCreate(LOCAL_TENANT, at(path), null)).apply();
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

async function only(): Promise<IdentityRecord> {
  const registry = await store.readAll();
  const [identity] = registry.ok ? registry.value.values() : [];
  return identity!;
}

describe('forRequest', () => {
  const presented = async (identities: IdentityService, path: string): Promise<string | null> => {
    const identity = await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path });
    if (!identity.ok) throw new Error(identity.error.code);
    return identity.value?.privateKeyPem ?? null;
  };

  test('presents the narrowest identity that covers the request, on its host and port alone', async () => {
    await add(store, at('/'), 'aa');
    await add(store, at('/app/'), 'bb');
    const identities = service();
    expect(await presented(identities, '/')).toBe('key aa\n');
    expect(await presented(identities, '/app')).toBe('key aa\n');
    expect(await presented(identities, '/app/x')).toBe('key bb\n');
    expect(await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1966, path: '/app/x' })).toEqual({
      ok: true,
      value: null,
    });
    expect(await identities.forRequest(LOCAL_TENANT, { host: 'b.example', port: 1965, path: '/app/x' })).toEqual({
      ok: true,
      value: null,
    });
  });

  test('names the identity and gives certificate and key', async () => {
    await add(store, at('/'), 'aa');
    expect(await service().forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/' })).toEqual({
      ok: true,
      value: {
        fingerprint: `sha256:${'aa'.repeat(32)}`,
        certificatePem: 'certificate aa\n',
        privateKeyPem: 'key aa\n',
      },
    });
  });

  test('falls back to a wider identity when the files of the narrowest are gone', async () => {
    await add(store, at('/'), 'aa');
    store.loseFiles(await add(store, at('/app/'), 'bb'));
    expect(await presented(service(), '/app/x')).toBe('key aa\n');
  });

  test('presents none when no files are left', async () => {
    store.loseFiles(await add(store, at('/'), 'aa'));
    expect(await presented(service(), '/')).toBeNull();
  });

  test('presents expired identities', async () => {
    await add(store, at('/'), 'aa');
    clock.advance(400 * 86_400_000);
    expect(await presented(service(), '/')).toBe('key aa\n');
  });

  test('finds identities made and removed after the first look', async () => {
    const identities = service();
    expect(await presented(identities, '/')).toBeNull();
    const identity = await add(store, at('/'), 'aa');
    expect(await presented(identities, '/')).toBe('key aa\n');
    await store.remove(identity);
    expect(await presented(identities, '/')).toBeNull();
  });

  test('fails when the files of the identity are there and cannot be read', async () => {
    store.spoilFiles(await add(store, at('/'), 'aa'));
    expect(await service().forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/' })).toMatchObject({
      error: { code: 'TLS_ERROR' },
    });
  });

  test('takes a registry that cannot be read for none: most fetches need no identity', async () => {
    expect(await presented(service(true, brokenStore), '/')).toBeNull();
  });

  test('presents none when identities are off', async () => {
    await add(store, at('/'), 'aa');
    expect(await presented(service(false), '/')).toBeNull();
  });
});

describe('list', () => {
  test('shows scopes as URLs, by host, port and path, and whether they can be used', async () => {
    await add(store, { host: 'b.example', port: 1965, path: '/' }, 'aa');
    await add(store, at('/b/'), 'bb');
    store.loseFiles(await add(store, at('/a/'), 'cc'));
    await add(store, { host: 'a.example', port: 300, path: '/ä' }, 'dd');
    const entry = {
      url: 'gemini://a.example/b/',
      host: 'a.example',
      port: 1965,
      path: '/b/',
      fingerprint: `sha256:${'bb'.repeat(32)}`,
      not_before: '2026-01-01T00:00:00+00:00',
      not_after: '2027-01-01T00:00:00+00:00',
      expired: false,
      usable: true,
    };
    const named = (byte: string): string => `sha256:${byte.repeat(32)}`;
    expect(await service().list(LOCAL_TENANT, null)).toEqual({
      ok: true,
      value: {
        kind: 'client_cert_list',
        entries: [
          { ...entry, url: 'gemini://a.example:300/%C3%A4', port: 300, path: '/ä', fingerprint: named('dd') },
          { ...entry, url: 'gemini://a.example/a/', path: '/a/', fingerprint: named('cc'), usable: false },
          entry,
          { ...entry, url: 'gemini://b.example/', host: 'b.example', path: '/', fingerprint: named('aa') },
        ],
      },
    });
  });

  test('says when an identity has expired', async () => {
    await add(store, at('/'), 'aa');
    clock.advance(400 * 86_400_000);
    expect(await service().list(LOCAL_TENANT, null)).toMatchObject({ value: { entries: [{ expired: true }] } });
  });

  test.each([
    ['A.EXAMPLE.', 1],
    ['OTHER', 0],
    ['', 1],
    [' ', 1],
    [null, 1],
  ])('of %j', async (filter, count) => {
    await add(store, at('/'), 'aa');
    const listed = await service().list(LOCAL_TENANT, filter);
    expect(listed.ok && listed.value.entries).toHaveLength(count);
  });

  test.each([
    ['identities turned off', () => service(false, brokenStore), null, 'CLIENT_CERTS_DISABLED'],
    ['a broken registry', () => service(true, brokenStore), 'a b', 'CERTIFICATE_STORE_UNAVAILABLE'],
    ['a filter that is no host', service, 'a b', 'INVALID_REQUEST'],
  ])('fails for %s', async (_, make, filter, code) => {
    expect(await make().list(LOCAL_TENANT, filter)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('creation', () => {
  test('asks, then makes one', async () => {
    const identities = service();
    const plan = confirmed(await identities.planCreate(LOCAL_TENANT, at('/app/'), null, 'ec'));
    expect(plan.question).toContain('gemini://a.example/app/');
    expect(mintedKinds).toEqual([]);
    expect(await plan.apply()).toEqual({
      ok: true,
      value: {
        kind: 'client_cert_update',
        action: 'create',
        ...HOST,
        path: '/app/',
        fingerprint: `sha256:${'01'.repeat(32)}`,
        expires: '2027-01-01T00:00:00+00:00',
        changed: true,
        message: expect.stringContaining('gemini://a.example/app/'),
      },
    });
    expect(mintedKinds).toEqual(['ec']);
  });

  test('makes RSA keys unless asked otherwise', async () => {
    await create(service(), '/');
    expect(mintedKinds).toEqual(['rsa']);
  });

  test.each([
    ['/app/', '/app/'],
    ['/app/', '/app/deep'],
    ['/', '/anything'],
  ])('is refused when %s is covered already: %s', async (existing, wanted) => {
    const identities = service();
    const made = await create(identities, existing);
    expect(await identities.planCreate(LOCAL_TENANT, at(wanted), null)).toMatchObject({
      error: {
        code: 'CERTIFICATE_EXISTS',
        message: expect.stringMatching(new RegExp(`${made.fingerprint}.*gemini://a\\.example${existing}.*2027-01-01`)),
      },
    });
  });

  test('is refused by an expired identity too, and says that it has expired', async () => {
    const identities = service();
    await create(identities, '/');
    clock.advance(400 * 86_400_000);
    expect(await identities.planCreate(LOCAL_TENANT, at('/'), null)).toMatchObject({
      error: { code: 'CERTIFICATE_EXISTS', message: expect.stringContaining('expired at 2027-01-01') },
    });
  });

  test('is not kept from by a neighbour or a narrower identity, and names those that keep winning', async () => {
    const identities = service();
    await create(identities, '/app/');
    await create(identities, '/other');
    const made = await create(identities, '/app');
    expect(made.message).toContain('gemini://a.example/app/');
    expect(made.message).not.toContain('/other');
    expect((await create(identities, '/b')).message).not.toContain('Narrower');
  });

  test('names no more narrower identities than can be read', async () => {
    const identities = service();
    for (let i = 0; i < 8; i++) await create(identities, `/app/${i}/`);
    const made = await create(identities, '/app');
    expect(made.message.match(/gemini:\/\/a\.example\/app\/\d\//g)).toHaveLength(5);
    expect(made.message).toContain('and 3 more');
  });

  test('replaces an entry whose files are gone', async () => {
    const identities = service();
    await create(identities, '/app/');
    store.loseFiles(await only());
    const again = await create(identities, '/app/');
    const listed = await identities.list(LOCAL_TENANT, null);
    expect(listed.ok && listed.value.entries).toMatchObject([{ fingerprint: again.fingerprint, usable: true }]);
  });

  test('happens once when two are asked for at the same time', async () => {
    const identities = service();
    const one = confirmed(await identities.planCreate(LOCAL_TENANT, at('/app/'), null));
    const other = confirmed(await identities.planCreate(LOCAL_TENANT, at('/app/x'), null));
    const outcomes = await Promise.all([one.apply(), other.apply()]);
    expect(outcomes[0]).toMatchObject({ ok: true });
    expect(outcomes[1]).toMatchObject({ error: { code: 'CERTIFICATE_EXISTS' } });
  });

  test.each([
    ['a fingerprint in vain', () => service(false, brokenStore), 'aa', 'INVALID_REQUEST'],
    ['identities turned off', () => service(false, brokenStore), null, 'CLIENT_CERTS_DISABLED'],
    ['a broken registry', () => service(true, brokenStore), null, 'CERTIFICATE_STORE_UNAVAILABLE'],
  ])('is refused for %s', async (_, make, fingerprint, code) => {
    expect(await make().planCreate(LOCAL_TENANT, at('/'), fingerprint)).toMatchObject({ ok: false, error: { code } });
  });

  test('passes on that the store cannot be written', async () => {
    const readOnly = { ...brokenStore, readAll: async () => ({ ok: true, value: new Map() }) as const };
    expect(await confirmed(await service(true, readOnly).planCreate(LOCAL_TENANT, at('/'), null)).apply()).toEqual(
      UNAVAILABLE,
    );
  });
});

describe('removal', () => {
  const removal = (path: string, changed: boolean, fingerprint: string | null): unknown => ({
    kind: 'client_cert_update',
    action: 'remove',
    ...HOST,
    path,
    fingerprint,
    expires: null,
    changed,
    message: expect.any(String),
  });

  test('acts on the identity that covers the URL, and says that it is wider', async () => {
    const identities = service();
    const { fingerprint } = await create(identities, '/app/');
    const plan = confirmed(await identities.planRemove(LOCAL_TENANT, at('/app/deep'), fingerprint));
    expect(plan.question).toMatch(/gemini:\/\/a\.example\/app\/ .*more than gemini:\/\/a\.example\/app\/deep/);
    expect(await plan.apply()).toEqual({ ok: true, value: removal('/app/', true, fingerprint) });
    expect(await identities.forRequest(LOCAL_TENANT, { host: 'a.example', port: 1965, path: '/app/' })).toEqual({
      ok: true,
      value: null,
    });
  });

  test('takes any spelling of the fingerprint, and does not call the same scope wider', async () => {
    const identities = service();
    await create(identities, '/app/');
    const spelled = Array.from({ length: 32 }, () => '01').join(':');
    expect(confirmed(await identities.planRemove(LOCAL_TENANT, at('/app/'), spelled)).question).not.toContain(
      'more than',
    );
  });

  test('of nothing is no error and no question', async () => {
    expect(await service().planRemove(LOCAL_TENANT, at('/none'), '0'.repeat(64))).toEqual({
      ok: true,
      value: { kind: 'done', result: removal('/none', false, null) },
    });
  });

  test('removes entries whose files are gone', async () => {
    const identities = service();
    const { fingerprint } = await create(identities, '/app/');
    store.loseFiles(await only());
    expect(await confirmed(await identities.planRemove(LOCAL_TENANT, at('/app/'), fingerprint)).apply()).toMatchObject({
      ok: true,
    });
    expect(await identities.list(LOCAL_TENANT, null)).toMatchObject({ value: { entries: [] } });
  });

  test('is refused for another fingerprint, and names the scope that it belongs to', async () => {
    const identities = service();
    const { fingerprint } = await create(identities, '/app/');
    await create(identities, '/other/');
    expect(await identities.planRemove(LOCAL_TENANT, at('/other/x'), fingerprint)).toMatchObject({
      error: { code: 'FINGERPRINT_MISMATCH', message: expect.stringContaining('gemini://a.example/app/') },
    });
    expect(await identities.planRemove(LOCAL_TENANT, at('/other/x'), '0'.repeat(64))).toMatchObject({
      error: { code: 'FINGERPRINT_MISMATCH', facts: { next_step: expect.stringContaining('gemini_client_cert_list') } },
    });
  });

  test('is refused when another identity took the place while the user was asked', async () => {
    const identities = service();
    const { fingerprint } = await create(identities, '/app/');
    const plan = confirmed(await identities.planRemove(LOCAL_TENANT, at('/app/'), fingerprint));
    await plan.apply();
    await create(identities, '/app/');
    expect(await plan.apply()).toMatchObject({ error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(await identities.list(LOCAL_TENANT, null)).toMatchObject({ value: { entries: [{ usable: true }] } });
  });

  test('says when the key could not be destroyed', async () => {
    const { fingerprint } = await create(service(), '/app/');
    const stubborn: IdentityStore = {
      ...brokenStore,
      readAll: () => store.readAll(),
      remove: async () => ({ ok: true, value: { keyRemains: true } }),
    };
    expect(
      await confirmed(await service(true, stubborn).planRemove(LOCAL_TENANT, at('/app/'), fingerprint)).apply(),
    ).toMatchObject({
      value: { changed: true, message: expect.stringContaining('could not be deleted') },
    });
  });

  test.each([
    ['no fingerprint', () => service(false, brokenStore), null, 'INVALID_REQUEST'],
    ['a bad fingerprint', () => service(false, brokenStore), 'zz', 'INVALID_REQUEST'],
    ['identities turned off', () => service(false, brokenStore), '0'.repeat(64), 'CLIENT_CERTS_DISABLED'],
    ['a broken registry', () => service(true, brokenStore), '0'.repeat(64), 'CERTIFICATE_STORE_UNAVAILABLE'],
  ])('is refused for %s', async (_, make, fingerprint, code) => {
    expect(await make().planRemove(LOCAL_TENANT, at('/'), fingerprint)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('of two tenants', () => {
  const fingerprintOf = async (identities: IdentityService, tenant: string): Promise<string | null> => {
    const identity = await identities.forRequest(tenant, { ...HOST, path: '/app/x' });
    return identity.ok ? (identity.value?.fingerprint ?? null) : null;
  };
  let identities: IdentityService;
  let fingerprint: string;
  beforeEach(async () => {
    identities = new IdentityService(new MemoryIdentityStores(), minter, clock, { enabled: true });
    const created = await confirmed(await identities.planCreate('acme', at('/app/'), null)).apply();
    fingerprint = created.ok ? (created.value.fingerprint ?? '') : '';
  });

  test('each presents and lists its own identities alone', async () => {
    expect(await fingerprintOf(identities, 'acme')).toBe(fingerprint);
    expect(await fingerprintOf(identities, 'globex')).toBeNull();
    expect(await fingerprintOf(identities, LOCAL_TENANT)).toBeNull();
    expect(await identities.list('acme', null)).toMatchObject({ value: { entries: [{ fingerprint }] } });
    expect(await identities.list('globex', null)).toMatchObject({ value: { entries: [] } });
  });

  test('one can have an identity where the other has one', async () => {
    const created = await confirmed(await identities.planCreate('globex', at('/app/'), null)).apply();
    expect(created).toMatchObject({ ok: true, value: { changed: true } });
    expect(await fingerprintOf(identities, 'globex')).not.toBe(fingerprint);
    expect(await fingerprintOf(identities, 'acme')).toBe(fingerprint);
  });

  test("one can neither remove the other's identity nor learn that it exists", async () => {
    const guess = await identities.planRemove('globex', at('/app/'), fingerprint);
    expect(guess).toEqual(await identities.planRemove('globex', at('/app/'), '0'.repeat(64)));
    expect(guess).toMatchObject({ ok: true, value: { kind: 'done', result: { changed: false, fingerprint: null } } });
    await confirmed(await identities.planCreate('globex', at('/app/'), null)).apply();
    const mismatch = await identities.planRemove('globex', at('/app/'), fingerprint);
    expect(mismatch).toMatchObject({ ok: false, error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(mismatch).toEqual(await identities.planRemove('globex', at('/app/'), 'f'.repeat(64)));
    expect(await fingerprintOf(identities, 'acme')).toBe(fingerprint);
  });
});
