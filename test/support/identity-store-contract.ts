/** What every identity store promises; each implementation runs these. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { failure } from '../../src/common/error-codes.js';
import { scopeKey, type IdentityRecord } from '../../src/cert/core/identity-record.js';
import type { Scope } from '../../src/cert/core/scope.js';
import type { MintedIdentity } from '../../src/cert/identity-minter.port.js';
import type { IdentityStore } from '../../src/cert/identity-store.port.js';

export interface IdentitiesUnderTest {
  readonly store: IdentityStore;
  /** A second store over the same identities, as another process would have. */
  readonly another: () => IdentityStore;
  readonly dispose: () => Promise<void>;
}

export const SCOPE: Scope = { host: 'a.example', port: 1965, path: '/app/' };

export function minted(byte = 'aa'): MintedIdentity {
  return {
    certificatePem: `certificate ${byte}\n`,
    privateKeyPem: `key ${byte}\n`,
    fingerprint: byte.repeat(32),
    subject: 'O=o,CN=c',
    issuer: 'O=o,CN=c',
    notBeforeMs: Date.UTC(2026, 0, 1),
    notAfterMs: Date.UTC(2027, 0, 1),
  };
}

export async function add(store: IdentityStore, scope = SCOPE, byte = 'aa'): Promise<IdentityRecord> {
  const added = await store.add(scope, minted(byte), () => null);
  if (!added.ok) throw new Error(added.error.message);
  return added.value;
}

export function describeIdentityStore(name: string, open: () => Promise<IdentitiesUnderTest>): void {
  describe(name, () => {
    let under: IdentitiesUnderTest;
    let store: IdentityStore;
    beforeEach(async () => {
      under = await open();
      store = under.store;
    });
    afterEach(() => under.dispose());

    test('says whether a change could be written, and leaves no trace of having tried', async () => {
      expect(await store.isWritable()).toBe(true);
      expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
    });

    test('is empty at first', async () => {
      expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
    });

    test('registers what was made, with its files', async () => {
      const identity = await add(store);
      expect(identity).toEqual({
        ...SCOPE,
        fingerprint: `sha256:${'aa'.repeat(32)}`,
        subject: 'O=o,CN=c',
        issuer: 'O=o,CN=c',
        notBefore: '2026-01-01T00:00:00+00:00',
        notAfter: '2027-01-01T00:00:00+00:00',
        keyId: expect.stringMatching(/^[0-9a-f]{32}$/),
        extra: {},
      });
      expect(await store.readAll()).toEqual({ ok: true, value: new Map([[scopeKey(SCOPE), identity]]) });
      expect(await store.isUsable(identity)).toBe(true);
      expect(await store.keyPair(identity)).toEqual({
        ok: true,
        value: { certificatePem: 'certificate aa\n', privateKeyPem: 'key aa\n' },
      });
    });

    test('gives the same registry as long as nothing changed', async () => {
      await add(store);
      const [one, other] = [await store.readAll(), await store.readAll()];
      expect(one.ok && other.ok && one.value === other.value).toBe(true);
    });

    test('keeps nothing of an identity that is refused at the moment of writing', async () => {
      const first = await add(store);
      const refusal = failure('CERTIFICATE_EXISTS', 'no');
      const seen: string[] = [];
      const refused = await under.another().add(SCOPE, minted('bb'), (registry) => {
        seen.push(...registry.keys());
        return refusal;
      });
      expect(refused).toEqual({ ok: false, error: refusal });
      expect(seen).toEqual([scopeKey(SCOPE)]);
      expect(await store.readAll()).toEqual({ ok: true, value: new Map([[scopeKey(SCOPE), first]]) });
    });

    test('removes an identity and its files, and no other', async () => {
      const identity = await add(store);
      const other = await add(store, { ...SCOPE, path: '/' }, 'bb');
      expect(await store.remove(identity)).toEqual({ ok: true, value: { keyRemains: false } });
      expect(await store.readAll()).toEqual({ ok: true, value: new Map([[scopeKey(other), other]]) });
      expect(await store.isUsable(identity)).toBe(false);
      expect(await store.keyPair(identity)).toEqual({ ok: true, value: null });
      expect(await store.isUsable(other)).toBe(true);
    });

    test('removes nothing when another identity took the place', async () => {
      const identity = await add(store);
      const other = under.another();
      await other.remove(identity);
      expect(await store.remove(identity)).toEqual({ ok: true, value: null });
      const later = await add(other, SCOPE, 'bb');
      expect(await store.remove(identity)).toEqual({ ok: true, value: null });
      expect(await store.readAll()).toEqual({ ok: true, value: new Map([[scopeKey(SCOPE), later]]) });
    });

    test('sees what another store added, and adds to it', async () => {
      const scopes = Array.from({ length: 12 }, (_, index) => ({ ...SCOPE, path: `/${index}/` }));
      const other = under.another();
      await Promise.all(scopes.map((scope, index) => add(index % 2 === 0 ? store : other, scope)));
      const registry = await store.readAll();
      expect(registry.ok && new Set(registry.value.keys())).toEqual(new Set(scopes.map(scopeKey)));
    });
  });
}
