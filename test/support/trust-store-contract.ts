/** What every trust store promises; each implementation runs these. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { pinKey, type PinRecord } from '../../src/trust/core/pin-record.js';
import type { TrustStore } from '../../src/trust/trust-store.port.js';

export interface StoreUnderTest {
  readonly store: TrustStore;
  /** A second store over the same pins, as another process would have. */
  readonly another: () => TrustStore;
  readonly dispose: () => Promise<void>;
}

export const HOST = { host: 'a.example', port: 1965 };
export const OTHER_PORT = { host: 'a.example', port: 1966 };

export function somePin(byte = 'aa'): PinRecord {
  return {
    fingerprint: byte.repeat(32),
    firstSeenSeconds: 1_700_000_000.25,
    lastSeenSeconds: 1_700_000_001,
    expiresSeconds: 1_800_000_000,
    spki: 'ee'.repeat(32),
    extra: {},
  };
}

export function put(store: TrustStore, pin: PinRecord, endpoint = HOST): ReturnType<TrustStore['update']> {
  return store.update(endpoint, () => ({ write: pin, value: null }));
}

export function describeTrustStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let under: StoreUnderTest;
    let store: TrustStore;
    beforeEach(async () => {
      under = await open();
      store = under.store;
    });
    afterEach(async () => {
      await store.close();
      await under.dispose();
    });

    test('says whether a change could be written, and leaves no trace of having tried', async () => {
      expect(await store.isWritable()).toBe(true);
      expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
    });

    test('is empty at first', async () => {
      expect(await store.read(HOST)).toEqual({ ok: true, value: null });
      expect(await store.readAll()).toEqual({ ok: true, value: new Map() });
    });

    test('gives back what was put, under its endpoint alone', async () => {
      await put(store, somePin());
      expect(await store.read(HOST)).toEqual({ ok: true, value: somePin() });
      expect(await store.read(OTHER_PORT)).toEqual({ ok: true, value: null });
      expect(await store.readAll()).toEqual({ ok: true, value: new Map([[pinKey(HOST), somePin()]]) });
    });

    test('shows a change the current pin, and passes its answer on', async () => {
      await put(store, somePin());
      const answer = await store.update(HOST, (current) => ({ write: 'keep', value: current?.fingerprint }));
      expect(answer).toEqual({ ok: true, value: somePin().fingerprint });
      expect(await store.read(HOST)).toEqual({ ok: true, value: somePin() });
    });

    test('removes', async () => {
      await put(store, somePin());
      await put(store, somePin('bb'), OTHER_PORT);
      await store.update(HOST, () => ({ write: null, value: null }));
      expect(await store.read(HOST)).toEqual({ ok: true, value: null });
      expect(await store.read(OTHER_PORT)).toEqual({ ok: true, value: somePin('bb') });
    });

    test('takes concurrent changes one after the other', async () => {
      const count = 30;
      const increments = Array.from({ length: count }, () =>
        store.update(HOST, (current) => ({
          write: { ...somePin(), lastSeenSeconds: (current?.lastSeenSeconds ?? 0) + 1 },
          value: null,
        })),
      );
      await Promise.all(increments);
      expect(await store.read(HOST)).toMatchObject({ ok: true, value: { lastSeenSeconds: count } });
    });

    test('rejects when a change throws, and makes the others', async () => {
      const broken = store.update(HOST, () => {
        throw new Error('a bug');
      });
      const good = put(store, somePin('bb'), OTHER_PORT);
      await expect(broken).rejects.toThrow('a bug');
      expect(await good).toEqual({ ok: true, value: null });
      expect(await store.read(HOST)).toEqual({ ok: true, value: null });
    });

    test('shows a sighting at once', async () => {
      await put(store, { ...somePin(), expiresSeconds: null, spki: null });
      store.sighted(HOST, { ...somePin(), seenSeconds: 1_750_000_000, expiresSeconds: 1_800_000_000 });
      const expected = { ...somePin(), lastSeenSeconds: 1_750_000_000 };
      expect(await store.read(HOST)).toEqual({ ok: true, value: expected });
      expect(await store.readAll()).toEqual({ ok: true, value: new Map([[pinKey(HOST), expected]]) });
    });

    test('lets another store see sightings after it was closed', async () => {
      await put(store, somePin());
      store.sighted(HOST, { ...somePin(), seenSeconds: 1_750_000_000, expiresSeconds: 0 });
      await store.close();
      expect(await under.another().read(HOST)).toMatchObject({ value: { lastSeenSeconds: 1_750_000_000 } });
    });

    test('neither revives nor changes a pin by a sighting of the certificate before', async () => {
      await put(store, somePin());
      await put(store, somePin(), OTHER_PORT);
      const other = under.another();
      await other.update(HOST, () => ({ write: null, value: null }));
      await put(other, somePin('bb'), OTHER_PORT);
      for (const endpoint of [HOST, OTHER_PORT]) {
        store.sighted(endpoint, { ...somePin(), seenSeconds: 1_750_000_000, expiresSeconds: 0 });
      }
      await store.close();
      expect(await other.readAll()).toEqual({ ok: true, value: new Map([[pinKey(OTHER_PORT), somePin('bb')]]) });
    });

    test('sees at once what another store wrote', async () => {
      const other = under.another();
      await put(other, somePin());
      expect(await store.read(HOST)).toEqual({ ok: true, value: somePin() });
      await other.update(HOST, () => ({ write: null, value: null }));
      expect(await store.read(HOST)).toEqual({ ok: true, value: null });
    });

    test('decides on what another store wrote in the meantime', async () => {
      await put(store, somePin());
      await put(under.another(), somePin('bb'));
      const answer = await store.update(HOST, (current) => ({ write: 'keep', value: current?.fingerprint }));
      expect(answer).toEqual({ ok: true, value: somePin('bb').fingerprint });
    });
  });
}
