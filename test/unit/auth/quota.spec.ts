import { beforeEach, describe, expect, test } from '@jest/globals';
import { CallAdmission } from '../../../src/auth/call-admission.js';
import { limitsOf } from '../../../src/auth/call-limits.js';
import { CallSlots } from '../../../src/auth/call-slots.js';
import { Quota } from '../../../src/auth/quota.js';
import type { Failure } from '../../../src/common/error-codes.js';
import type { Principal } from '../../../src/common/principal.js';
import type { CallLimits, TenantLimits } from '../../../src/common/tenant-rules.js';
import { FakeClock } from '../../support/fake-clock.js';

const NO_LIMIT: CallLimits = { requestsPerMinute: null, concurrent: null };
const perMinute = (requestsPerMinute: number): CallLimits => ({ requestsPerMinute, concurrent: null });
const atOnce = (concurrent: number): CallLimits => ({ requestsPerMinute: null, concurrent });

const who = (tenant: string, subject: string, quotas?: TenantLimits): Principal => ({
  tenant,
  subject,
  scopes: new Set(),
  ...(quotas && { rules: { scopes: new Set(), tools: null, hosts: new Map(), quotas } }),
});

let used: Map<string, number>;
let refused: Failure[];
beforeEach(() => {
  used = new Map();
  refused = [];
});

/** Counts for ever. */
const counter = {
  spend: (key: string, units: number, limit: number) => {
    const total = (used.get(key) ?? 0) + units;
    used.set(key, total);
    return Promise.resolve({ isWithin: total <= limit, resetInMs: 41_200 });
  },
};

function admission(deployment: Partial<TenantLimits>, slots?: CallSlots): CallAdmission {
  return new CallAdmission({
    slots,
    limitsOf: limitsOf({ tenant: NO_LIMIT, subject: NO_LIMIT, ...deployment }),
    quota: new Quota(() => Promise.resolve(counter)),
    onRefused: (failure) => void refused.push(failure),
  });
}

const call = (principal: Principal, units = 1) => ({
  principal,
  address: '192.0.2.1',
  units,
  signal: new AbortController().signal,
});
const ANN = who('acme', 'ann');
const BOB = who('acme', 'bob');

describe('pages in a minute', () => {
  test('of one caller are counted apart from those of others', async () => {
    const gate = admission({ subject: perMinute(2) });
    for (const who of [ANN, ANN, BOB, BOB]) expect(await gate.admit(call(who))).toMatchObject({ ok: true });
    expect(await gate.admit(call(ANN))).toMatchObject({
      ok: false,
      error: {
        code: 'QUOTA_EXCEEDED',
        facts: {
          reason: 'subject_quota',
          retry_after_seconds: 42,
          next_step: 'Wait 42 seconds before the next call.',
        },
      },
    });
    expect(refused).toHaveLength(1);
  });

  test('of a tenant are those of all its callers, and what a caller was refused is not among them', async () => {
    const gate = admission({ tenant: perMinute(3), subject: perMinute(2) });
    for (const who of [ANN, ANN, ANN]) await gate.admit(call(who));
    expect(await gate.admit(call(BOB))).toMatchObject({ ok: true });
    expect(await gate.admit(call(BOB))).toMatchObject({ error: { facts: { reason: 'tenant_quota' } } });
    expect(await gate.admit(call(who('other', 'ann')))).toMatchObject({ ok: true });
  });

  test('are one for each URL of a batch; one that can never be within is told so and not counted', async () => {
    const gate = admission({ subject: perMinute(10) });
    expect(await gate.admit(call(ANN, 11))).toMatchObject({
      error: { facts: { next_step: 'Ask for at most 10 URLs in one call.' } },
    });
    expect(await gate.admit(call(ANN, 11))).not.toHaveProperty('error.facts.retry_after_seconds');
    expect(used.size).toBe(0);
    expect(await gate.admit(call(ANN, 10))).toMatchObject({ ok: true });
    expect(await gate.admit(call(ANN, 1))).toMatchObject({ ok: false });
  });

  test('are not counted again for the second half of a call', async () => {
    const gate = admission({ subject: perMinute(1) });
    await gate.admit(call(ANN));
    expect(await gate.admit(call(ANN, 0))).toMatchObject({ ok: true });
  });

  test('are what the tenant was granted, and the deployment decides where it was granted nothing', async () => {
    const gate = admission({ tenant: perMinute(1), subject: perMinute(1) });
    const granted = who('acme', 'ann', { tenant: perMinute(5), subject: atOnce(9) });
    expect(await gate.admit(call(granted))).toMatchObject({ ok: true });
    expect(await gate.admit(call(granted))).toMatchObject({ error: { facts: { reason: 'subject_quota' } } });
    const ungranted = who('poor', 'ann', { tenant: NO_LIMIT, subject: NO_LIMIT });
    await gate.admit(call(ungranted));
    expect(await gate.admit(call(ungranted))).toMatchObject({ ok: false });
  });
});

describe('calls at the same time', () => {
  test('of a caller and of a tenant are bounded until one ends', async () => {
    const gate = admission({ tenant: atOnce(2), subject: atOnce(1) });
    const first = await gate.admit(call(ANN));
    expect(await gate.admit(call(ANN))).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED', facts: { reason: 'subject_quota', retry_after_seconds: 1 } },
    });
    await gate.admit(call(BOB));
    expect(await gate.admit(call(who('acme', 'cleo')))).toMatchObject({ error: { facts: { reason: 'tenant_quota' } } });
    if (!first.ok) throw new Error('not let in');
    first.value();
    first.value();
    expect(await gate.admit(call(ANN))).toMatchObject({ ok: true });
    expect(await gate.admit(call(who('acme', 'cleo')))).toMatchObject({ ok: false });
  });

  test('do not include one that was refused for another reason', async () => {
    const gate = admission({ subject: { requestsPerMinute: 1, concurrent: 2 } });
    const first = await gate.admit(call(ANN));
    await gate.admit(call(ANN));
    if (first.ok) first.value();
    expect(await gate.admit(call(ANN, 0))).toMatchObject({ ok: true });
    expect(await gate.admit(call(ANN, 0))).toMatchObject({ ok: true });
  });
});

describe('a server without room', () => {
  test('refuses before it counts', async () => {
    const slots = new CallSlots({ maxInFlight: 1, maxQueued: 0 }, new FakeClock());
    const gate = admission({ subject: perMinute(1) }, slots);
    const other = await gate.admit(call(BOB));
    expect(await gate.admit(call(ANN))).toMatchObject({ error: { code: 'OVERLOADED' } });
    if (other.ok) other.value();
    expect(await gate.admit(call(ANN))).toMatchObject({ ok: true });
    expect(refused.map(({ code }) => code)).toEqual(['OVERLOADED']);
  });
});

test('where nothing is limited a call is let in without a wait', () => {
  expect(admission({}).admit(call(ANN))).toMatchObject({ ok: true });
});
