import { beforeEach, describe, expect, test } from '@jest/globals';
import { Deadline } from '../../../src/common/deadline.js';
import { fail, type Failure } from '../../../src/common/error-codes.js';
import type { Plan } from '../../../src/common/plan.js';
import type { Result } from '../../../src/common/result.js';
import type { PresentedCertificate } from '../../../src/trust/core/decide-pin.js';
import type { PinRecord } from '../../../src/trust/core/pin-record.js';
import type { TrustOptions } from '../../../src/trust/trust-options.js';
import type { PinChange, TrustStore } from '../../../src/trust/trust-store.port.js';
import { TrustService, type TrustUpdate } from '../../../src/trust/trust.service.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryTrustStore } from '../../support/memory-trust-store.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 5, 1);
const A = 'aa'.repeat(32);
const B = 'bb'.repeat(32);
const OPTIONS: TrustOptions = { enabled: true, rejectExpired: false, renewal: { expired: false, sameKey: false } };
const CERTIFICATE: PresentedCertificate = {
  fingerprint: A,
  spki: '11'.repeat(32),
  notBeforeMs: START_MS - DAY_MS,
  notAfterMs: START_MS + 30 * DAY_MS,
};
const OTHER: PresentedCertificate = { ...CERTIFICATE, fingerprint: B, spki: '22'.repeat(32) };
const UNAVAILABLE = fail('CERTIFICATE_STORE_UNAVAILABLE', 'broken');

let clock: FakeClock;
let store: MemoryTrustStore;
let changes: string[];

beforeEach(() => {
  clock = new FakeClock(START_MS);
  store = new MemoryTrustStore();
  changes = [];
});

function service(options: Partial<TrustOptions> = {}, over: TrustStore = store): TrustService {
  const observer = { pinChanged: (host: string, port: number) => void changes.push(`${host} ${port}`) };
  return new TrustService(over, observer, clock, { ...OPTIONS, ...options });
}

/** A store that fails wherever it is asked. */
const brokenStore: TrustStore = {
  readAll: async () => UNAVAILABLE,
  read: async () => UNAVAILABLE,
  update: async () => UNAVAILABLE,
  isWritable: async () => false,
  sighted: () => undefined,
  close: async () => undefined,
};

function confirmed<T>(plan: Result<Plan<T>, Failure>): Extract<Plan<T>, { kind: 'confirm' }> {
  if (!plan.ok || plan.value.kind !== 'confirm') throw new Error(`no question: ${JSON.stringify(plan)}`);
  return plan.value;
}

describe('verify', () => {
  test('pins at first use, warns once, and says nothing afterwards', async () => {
    const trust = service();
    const first = await trust.verify('h.example', 1965, CERTIFICATE);
    expect(first).toEqual({ ok: true, value: { warning: expect.stringContaining('h.example:1965') } });
    expect(await trust.verify('h.example', 1965, CERTIFICATE)).toEqual({ ok: true, value: { warning: null } });
    expect(changes).toEqual(['h.example 1965']);
  });

  test('keeps ports apart', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    expect(await trust.verify('h.example', 1966, OTHER)).toMatchObject({ ok: true });
  });

  test('refuses another certificate with the facts to decide by, and tells who keeps its pages', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    changes = [];
    expect(await trust.verify('h.example', 1965, OTHER)).toMatchObject({
      ok: false,
      error: {
        code: 'CERTIFICATE_CHANGED',
        facts: {
          pinned_fingerprint: A,
          presented_fingerprint: B,
          first_seen: '2026-06-01T00:00:00+00:00',
          pinned_expired: false,
          same_key: false,
          next_step: expect.stringMatching(/gemini_trust_list.*gemini_trust_update/s),
        },
      },
    });
    expect(changes).toEqual(['h.example 1965']);
  });

  test('accepts a renewal that the policy allows, says so, and tells who keeps its pages', async () => {
    const trust = service({ renewal: { expired: false, sameKey: true } });
    await trust.verify('h.example', 1965, CERTIFICATE);
    changes = [];
    const renewed = await trust.verify('h.example', 1965, { ...OTHER, spki: CERTIFICATE.spki });
    expect(renewed).toEqual({ ok: true, value: { warning: expect.stringContaining('renewal') } });
    expect(changes).toEqual(['h.example 1965']);
    expect(await trust.list(null)).toMatchObject({ value: { entries: [{ fingerprint: B }] } });
  });

  test('accepts a new certificate once the pinned one has expired, where the policy allows, and says why', async () => {
    const trust = service({ renewal: { expired: true, sameKey: false } });
    await trust.verify('::1', 1965, CERTIFICATE);
    expect(await trust.verify('::1', 1965, OTHER)).toMatchObject({ error: { code: 'CERTIFICATE_CHANGED' } });
    clock.advance(31 * DAY_MS);
    const renewal = { ...OTHER, notAfterMs: START_MS + 60 * DAY_MS };
    expect(await trust.verify('::1', 1965, renewal)).toEqual({
      ok: true,
      value: { warning: expect.stringMatching(/^\[::1\]:1965 .*had expired.*renewal/) },
    });
    expect(await trust.verify('::1', 1965, renewal)).toEqual({ ok: true, value: { warning: null } });
  });

  test('warns about the pinned certificate once it has expired', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    clock.advance(31 * DAY_MS);
    expect(await trust.verify('h.example', 1965, CERTIFICATE)).toEqual({
      ok: true,
      value: { warning: expect.stringContaining('2026-07-01T00:00:00+00:00') },
    });
  });

  test.each([
    ['expired', { ...CERTIFICATE, notAfterMs: START_MS - DAY_MS }, 'CERTIFICATE_EXPIRED'],
    ['not valid yet', { ...CERTIFICATE, notBeforeMs: START_MS + DAY_MS }, 'CERTIFICATE_NOT_YET_VALID'],
    ['missing', null, 'CERTIFICATE_UNVERIFIED'],
  ])('refuses a certificate that is %s, and pins nothing', async (_, presented, code) => {
    const trust = service({ rejectExpired: true });
    expect(await trust.verify('h.example', 1965, presented)).toMatchObject({ error: { code } });
    expect(await trust.list(null)).toMatchObject({ value: { entries: [] } });
    expect(changes).toEqual([]);
  });

  test('decides again on the pin that is there when it writes', async () => {
    const racing: TrustStore = {
      ...brokenStore,
      read: async () => ({ ok: true, value: null }),
      update: async <T>(_: unknown, change: (current: PinRecord | null) => PinChange<T>) => {
        const { write, value } = change({
          fingerprint: B,
          firstSeenSeconds: 0,
          lastSeenSeconds: 0,
          expiresSeconds: null,
          spki: null,
          extra: {},
        });
        expect(write).toBe('keep');
        return { ok: true, value };
      },
    };
    expect(await service({}, racing).verify('h.example', 1965, CERTIFICATE)).toMatchObject({
      error: { code: 'CERTIFICATE_CHANGED' },
    });
  });

  test('fails when the pin cannot be written, without pinning', async () => {
    const readOnly: TrustStore = { ...brokenStore, read: async () => ({ ok: true, value: null }) };
    expect(await service({}, readOnly).verify('h.example', 1965, CERTIFICATE)).toEqual(UNAVAILABLE);
    expect(changes).toEqual([]);
  });

  test('hands the deadline to the store', async () => {
    const deadline = new Deadline(clock, 1000);
    let given: Deadline | undefined;
    const noting: TrustStore = {
      ...brokenStore,
      read: async () => ({ ok: true, value: null }),
      update: async (_endpoint, _change, received) => {
        given = received;
        return UNAVAILABLE;
      },
    };
    await service({}, noting).verify('h.example', 1965, CERTIFICATE, deadline);
    expect(given).toBe(deadline);
    deadline.dispose();
  });

  test('checks nothing when trust on first use is off, not even the store', async () => {
    const trust = service({ enabled: false }, brokenStore);
    expect(await trust.verify('h.example', 1965, null)).toEqual({ ok: true, value: { warning: null } });
    expect(await trust.ready('h.example', 1965)).toEqual({ ok: true, value: null });
  });

  test('ready tells a broken store before a connection is opened', async () => {
    expect(await service({}, brokenStore).ready('h.example', 1965)).toEqual(UNAVAILABLE);
    expect(await service().ready('h.example', 1965)).toEqual({ ok: true, value: null });
  });
});

describe('list', () => {
  test('shows entries by host and port, with instants and whether they have run out', async () => {
    const trust = service();
    await trust.verify('b.example', 1966, CERTIFICATE);
    await trust.verify('b.example', 300, CERTIFICATE);
    await trust.verify('a.example', 1965, { ...CERTIFICATE, notAfterMs: START_MS - DAY_MS });
    const entry = {
      host: 'b.example',
      port: 300,
      fingerprint: A,
      first_seen: '2026-06-01T00:00:00+00:00',
      last_seen: '2026-06-01T00:00:00+00:00',
      expires: '2026-07-01T00:00:00+00:00',
      expired: false,
    };
    expect(await trust.list(null)).toEqual({
      ok: true,
      value: {
        kind: 'trust_list',
        entries: [
          { ...entry, host: 'a.example', port: 1965, expires: '2026-05-31T00:00:00+00:00', expired: true },
          entry,
          { ...entry, port: 1966 },
        ],
      },
    });
  });

  test.each([
    ['B.example.', ['b.example']],
    ['absent.example', []],
    ['', ['a.example', 'b.example']],
    ['  ', ['a.example', 'b.example']],
    [null, ['a.example', 'b.example']],
  ])('of %j', async (filter, hosts) => {
    const trust = service();
    await trust.verify('a.example', 1965, CERTIFICATE);
    await trust.verify('b.example', 1965, CERTIFICATE);
    const listed = await trust.list(filter);
    expect(listed.ok && listed.value.entries.map(({ host }) => host)).toEqual(hosts);
  });

  test.each([
    ['a filter that is no host', service, 'not a host', 'INVALID_REQUEST'],
    ['trust on first use turned off', () => service({ enabled: false }), null, 'TOFU_DISABLED'],
    ['a broken store', () => service({}, brokenStore), null, 'CERTIFICATE_STORE_UNAVAILABLE'],
    [
      'a broken store, before anything else',
      () => service({ enabled: false }, brokenStore),
      'a b',
      'CERTIFICATE_STORE_UNAVAILABLE',
    ],
  ])('fails for %s', async (_, make, filter, code) => {
    expect(await make().list(filter)).toMatchObject({ ok: false, error: { code } });
  });

  test('shows what a later connection adds to a pin made by hand', async () => {
    const trust = service();
    await confirmed(await trust.planPin({ host: 'h.example', port: 1965, fingerprint: A })).apply();
    expect(await trust.list(null)).toMatchObject({ value: { entries: [{ expires: null, expired: false }] } });
    expect(await trust.verify('h.example', 1965, CERTIFICATE)).toEqual({ ok: true, value: { warning: null } });
    expect(await trust.list(null)).toMatchObject({ value: { entries: [{ expires: '2026-07-01T00:00:00+00:00' }] } });
  });
});

describe('changes', () => {
  const TARGET = { host: 'H.example.', port: 1965, fingerprint: `sha256:${A}` };
  const answer = (action: TrustUpdate['action'], changed: boolean): unknown => ({
    kind: 'trust_update',
    action,
    host: 'H.example.',
    port: 1965,
    changed,
    message: expect.any(String),
  });

  // Each row is wrong in its own point and in all later ones: the order of checks is part of the contract.
  const badPort = { host: 'a b', port: 0, fingerprint: 'zz' };
  test.each([
    ['a blank host', { ...badPort, host: ' ' }, brokenStore, 'INVALID_REQUEST', /host is blank/],
    ['a port out of range', badPort, brokenStore, 'INVALID_REQUEST', /port/],
    ['a port that is no integer', { ...badPort, port: 1.5 }, brokenStore, 'INVALID_REQUEST', /port/],
    ['a port too high', { ...badPort, port: 65536 }, brokenStore, 'INVALID_REQUEST', /port/],
    ['a bad fingerprint', { ...badPort, port: 1 }, brokenStore, 'INVALID_REQUEST', /fingerprint/],
    [
      'a broken store',
      { host: 'a b', port: 1, fingerprint: A },
      brokenStore,
      'CERTIFICATE_STORE_UNAVAILABLE',
      /broken/,
    ],
    ['trust on first use off', { host: 'a b', port: 1, fingerprint: A }, null, 'TOFU_DISABLED', /turned off/],
  ])('are refused for %s', async (_, target, over, code, message) => {
    const trust = service({ enabled: false }, over ?? store);
    for (const plan of [await trust.planPin(target), await trust.planRemove(target)]) {
      expect(plan).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
    }
  });

  test('are refused for a host that cannot be normalised', async () => {
    const target = { ...TARGET, host: `é${'x'.repeat(63)}` };
    for (const plan of [await service().planPin(target), await service().planRemove(target)]) {
      expect(plan).toMatchObject({ error: { code: 'INVALID_REQUEST', facts: { reason: 'argument' } } });
    }
  });

  test('removal: nothing pinned is no error and no question', async () => {
    expect(await service().planRemove(TARGET)).toEqual({
      ok: true,
      value: { kind: 'done', result: answer('remove', false) },
    });
  });

  test('removal: another fingerprint is refused without revealing the stored one', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    const refused = await trust.planRemove({ ...TARGET, fingerprint: B });
    expect(refused).toMatchObject({ error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(JSON.stringify(refused)).not.toContain(A);
  });

  test('removal: asks, then removes, and the next connection pins anew', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    changes = [];
    const plan = confirmed(await trust.planRemove(TARGET));
    expect(plan.question).toContain('h.example:1965');
    expect(changes).toEqual([]);
    expect(await plan.apply()).toEqual({ ok: true, value: answer('remove', true) });
    expect(changes).toEqual(['h.example 1965']);
    expect(await trust.verify('h.example', 1965, OTHER)).toMatchObject({ value: { warning: expect.any(String) } });
  });

  test('removal: does nothing twice', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    const plan = confirmed(await trust.planRemove(TARGET));
    await plan.apply();
    changes = [];
    expect(await plan.apply()).toEqual({ ok: true, value: answer('remove', false) });
    expect(changes).toEqual([]);
  });

  test('removal: a pin replaced while the user was asked stays', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    const plan = confirmed(await trust.planRemove(TARGET));
    await confirmed(await trust.planPin({ ...TARGET, fingerprint: B })).apply();
    expect(await plan.apply()).toMatchObject({ error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(await trust.verify('h.example', 1965, OTHER)).toMatchObject({ ok: true });
  });

  test('pinning: a new pin is the only certificate accepted', async () => {
    const trust = service();
    const plan = confirmed(await trust.planPin(TARGET));
    expect(plan.question).toContain(A);
    expect(await plan.apply()).toEqual({ ok: true, value: answer('pin', true) });
    expect(changes).toEqual(['h.example 1965']);
    expect(await trust.verify('h.example', 1965, OTHER)).toMatchObject({ error: { code: 'CERTIFICATE_CHANGED' } });
    expect(await trust.verify('h.example', 1965, CERTIFICATE)).toEqual({ ok: true, value: { warning: null } });
  });

  test('pinning: a replacement keeps the first instant and forgets what was known of the old certificate', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    clock.advance(DAY_MS);
    const plan = confirmed(await trust.planPin({ ...TARGET, fingerprint: B }));
    expect(plan.question).toMatch(new RegExp(`${A}.*${B}`));
    await plan.apply();
    expect(await trust.list(null)).toMatchObject({
      value: {
        entries: [
          {
            fingerprint: B,
            first_seen: '2026-06-01T00:00:00+00:00',
            last_seen: '2026-06-02T00:00:00+00:00',
            expires: null,
          },
        ],
      },
    });
    expect(await trust.verify('h.example', 1965, CERTIFICATE)).toMatchObject({ error: { facts: { same_key: null } } });
  });

  test('pinning: the certificate that is pinned already is no change and no question', async () => {
    const trust = service();
    await trust.verify('h.example', 1965, CERTIFICATE);
    expect(await trust.planPin(TARGET)).toEqual({ ok: true, value: { kind: 'done', result: answer('pin', false) } });
  });

  test('pinning: a pin that another made meanwhile is not overwritten', async () => {
    const trust = service();
    const plan = confirmed(await trust.planPin(TARGET));
    await trust.verify('h.example', 1965, OTHER);
    changes = [];
    expect(await plan.apply()).toMatchObject({ error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(await plan.apply()).toMatchObject({ error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(changes).toEqual([]);
  });

  test('a write that fails changes nothing', async () => {
    const trust = service({}, { ...brokenStore, readAll: async () => ({ ok: true, value: new Map() }) });
    expect(await confirmed(await trust.planPin(TARGET)).apply()).toEqual(UNAVAILABLE);
    expect(changes).toEqual([]);
  });
});

test('what is remembered is written when the module ends', async () => {
  let closed = 0;
  await service({}, { ...brokenStore, close: async () => void (closed += 1) }).onModuleDestroy();
  expect(closed).toBe(1);
});
