import { describe, expect, test } from '@jest/globals';
import { Deadline } from '../../../../src/common/deadline.js';
import { MAX_CONCURRENT_LOOKUPS, NodeDnsResolver } from '../../../../src/safety/io/node-dns-resolver.js';
import { FakeClock, settled } from '../../../support/fake-clock.js';

interface PendingLookup {
  readonly host: string;
  readonly answer: (addresses: { address: string; family: number }[]) => void;
  readonly refuse: (error: Error) => void;
}

/** A resolver whose operating system answers when the test says so. */
function setUp() {
  const clock = new FakeClock();
  const lookups: PendingLookup[] = [];
  const resolver = new NodeDnsResolver(
    (host) =>
      new Promise((answer, refuse) => {
        lookups.push({ host, answer, refuse });
      }),
  );
  const deadline = (budgetMs = 30_000, signal?: AbortSignal) => new Deadline(clock, budgetMs, signal);
  return { clock, lookups, resolver, deadline };
}

function dnsError(code: string): Error {
  return Object.assign(new Error(`getaddrinfo ${code} secret.internal`), { code });
}

const ADDRESS = { address: '9.9.9.9', family: 4 };

describe('a look-up', () => {
  test('gives all addresses in the order of the operating system', async () => {
    const { lookups, resolver, deadline } = setUp();
    const resolving = resolver.resolve('a.test', deadline());
    await settled();
    const addresses = [{ address: '2620:fe::fe', family: 6 }, ADDRESS];
    lookups[0]?.answer(addresses);
    expect(await resolving).toEqual({ ok: true, value: addresses });
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])(
    'that fails with %s is a DNS_ERROR without library text',
    async (code) => {
      const { lookups, resolver, deadline } = setUp();
      const resolving = resolver.resolve('a.test', deadline());
      await settled();
      lookups[0]?.refuse(dnsError(code));
      const answer = await resolving;
      expect(answer).toMatchObject({ ok: false, error: { code: 'DNS_ERROR', cause: { code } } });
      if (answer.ok) return;
      expect(answer.error.message).toContain('a.test');
      expect(answer.error.message).not.toMatch(/getaddrinfo|secret/);
    },
  );

  test('without an address is a DNS_ERROR', async () => {
    const { lookups, resolver, deadline } = setUp();
    const resolving = resolver.resolve('a.test', deadline());
    await settled();
    lookups[0]?.answer([]);
    expect(await resolving).toMatchObject({ ok: false, error: { code: 'DNS_ERROR' } });
  });

  test('that outlasts the deadline is a FETCH_ERROR, reason timeout', async () => {
    const { clock, resolver, deadline } = setUp();
    const resolving = resolver.resolve('a.test', deadline(2000));
    await clock.pass(2000);
    expect(await resolving).toMatchObject({ ok: false, error: { code: 'FETCH_ERROR', facts: { reason: 'timeout' } } });
  });

  test('whose caller leaves is cancelled', async () => {
    const { resolver, deadline } = setUp();
    const caller = new AbortController();
    const resolving = resolver.resolve('a.test', deadline(2000, caller.signal));
    await settled();
    caller.abort();
    expect(await resolving).toMatchObject({ ok: false, error: { facts: { reason: 'cancelled' } } });
  });

  test('is not made for a caller who has left', async () => {
    const { lookups, resolver, deadline } = setUp();
    expect((await resolver.resolve('a.test', deadline(2000, AbortSignal.abort()))).ok).toBe(false);
    expect(lookups).toEqual([]);
  });
});

describe('look-ups at once', () => {
  test('are eight at most; the next one goes out when one is done', async () => {
    const { lookups, resolver, deadline } = setUp();
    for (let i = 0; i < 10; i++) void resolver.resolve(`${i}.test`, deadline());
    await settled();
    expect(lookups).toHaveLength(MAX_CONCURRENT_LOOKUPS);
    lookups[3]?.answer([ADDRESS]);
    await settled();
    expect(lookups.map(({ host }) => host)).toContain('8.test');
    expect(lookups).toHaveLength(MAX_CONCURRENT_LOOKUPS + 1);
  });

  test('given up on keep their places until the operating system is done with them', async () => {
    const { clock, lookups, resolver, deadline } = setUp();
    const abandoned = Array.from({ length: 8 }, (_, i) => resolver.resolve(`${i}.tarpit.test`, deadline(1000)));
    await clock.pass(1000);
    expect((await Promise.all(abandoned)).every((answer) => !answer.ok)).toBe(true);

    const waiting = resolver.resolve('a.test', deadline(1000));
    await settled();
    expect(lookups).toHaveLength(8);
    lookups[0]?.refuse(dnsError('EAI_AGAIN'));
    await settled();
    lookups[8]?.answer([ADDRESS]);
    expect(await waiting).toEqual({ ok: true, value: [ADDRESS] });
  });

  test('waiting for a place counts against the deadline, and gives up the turn', async () => {
    const { clock, lookups, resolver, deadline } = setUp();
    for (let i = 0; i < 8; i++) void resolver.resolve(`${i}.tarpit.test`, deadline(60_000));
    const waiting = resolver.resolve('a.test', deadline(1000));
    await clock.pass(1000);
    expect(await waiting).toMatchObject({ ok: false, error: { facts: { reason: 'timeout' } } });
    lookups[0]?.answer([ADDRESS]);
    await settled();
    expect(lookups).toHaveLength(8);
  });
});
