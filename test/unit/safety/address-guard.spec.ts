import { describe, expect, test } from '@jest/globals';
import { Deadline } from '../../../src/common/deadline.js';
import type { Failure } from '../../../src/common/error-codes.js';
import { fail, failure } from '../../../src/common/error-codes.js';
import { err, ok, type Result } from '../../../src/common/result.js';
import { AddressGuard, type AddressGuardOptions } from '../../../src/safety/address-guard.js';
import type { DnsResolver } from '../../../src/safety/dns-resolver.port.js';
import { FakeClock } from '../../support/fake-clock.js';

type Answer = Awaited<ReturnType<DnsResolver['resolve']>>;

function setUp(answer: Answer, changes: Partial<AddressGuardOptions> = {}) {
  const asked: string[] = [];
  const resolver: DnsResolver = {
    resolve: (host) => {
      asked.push(host);
      return Promise.resolve(answer);
    },
  };
  const guard = new AddressGuard(
    {
      allowedPorts: null,
      allowLocalHosts: false,
      allowedNetworks: [],
      deniedNetworks: [],
      variablePrefix: 'GOPHER_',
      ...changes,
    },
    resolver,
  );
  const deadline = new Deadline(new FakeClock(), 1000);
  return { asked, vet: (host: string, port = 70) => guard.vet({ host, port }, deadline) };
}

const publicAddresses: Answer = ok([
  { address: '2620:fe::fe', family: 6 },
  { address: '9.9.9.9', family: 4 },
]);
const insideAddress: Answer = ok([{ address: '127.0.0.1', family: 4 }]);

function codeOf(vetted: Result<unknown, Failure>): string {
  return vetted.ok ? 'ok' : `${vetted.error.code} ${vetted.error.facts.reason}`;
}

describe('a name', () => {
  test('gives the addresses it resolves to, in order', async () => {
    const { vet } = setUp(publicAddresses);
    expect(await vet('a.test')).toEqual(publicAddresses);
  });

  // The resolver reads odd spellings of IPv4 addresses; what they mean is judged.
  test.each(['localhost', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', 'inside.example.org'])(
    '%s that resolves to an inside address is refused',
    async (host) => {
      const { vet, asked } = setUp(insideAddress);
      expect(codeOf(await vet(host))).toBe('BLOCKED address_class');
      expect(asked).toEqual([host]);
    },
  );

  test('that resolves inside is connected to where local hosts are allowed', async () => {
    const { vet } = setUp(insideAddress, { allowLocalHosts: true });
    expect(await vet('localhost')).toEqual(insideAddress);
  });

  test('that does not resolve fails as the resolver says', async () => {
    const unknown = failure('DNS_ERROR', 'a.test does not resolve to an address.');
    const { vet } = setUp(err(unknown));
    expect(await vet('a.test')).toEqual(err(unknown));
  });
});

describe('an address literal', () => {
  test.each<[string, 4 | 6]>([
    ['9.9.9.9', 4],
    ['2620:fe::fe', 6],
  ])('%s is judged as it stands, without a look-up', async (address, family) => {
    const { vet, asked } = setUp(fail('DNS_ERROR', ''));
    expect(await vet(address)).toEqual(ok([{ address, family }]));
    expect(asked).toEqual([]);
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254'])('%s is refused', async (address) => {
    const { vet } = setUp(fail('DNS_ERROR', ''));
    expect(codeOf(await vet(address))).toBe('BLOCKED address_class');
  });
});

describe('the port', () => {
  test('is judged before any look-up', async () => {
    const { vet, asked } = setUp(publicAddresses);
    expect(codeOf(await vet('a.test', 25))).toBe('BLOCKED port');
    expect(asked).toEqual([]);
  });

  test('stays closed whatever addresses are allowed', async () => {
    const { vet } = setUp(insideAddress, {
      allowLocalHosts: true,
      allowedNetworks: [{ family: 4, groups: [0x7f00, 0], prefixLength: 8 }],
      allowedPorts: new Set([6379]),
    });
    expect(codeOf(await vet('localhost', 6379))).toBe('BLOCKED port');
  });
});
