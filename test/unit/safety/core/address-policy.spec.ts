import { describe, expect, test } from '@jest/globals';
import { isIP } from 'node:net';
import { parseCidr, type Cidr } from '../../../../src/common/net/ip.js';
import {
  checkAddresses,
  judgeAddress,
  type AddressPolicy,
  type ResolvedAddress,
} from '../../../../src/safety/core/address-policy.js';

function cidrs(...texts: string[]): Cidr[] {
  return texts.map((text) => {
    const cidr = parseCidr(text);
    if (cidr === null) throw new Error(`no network: ${text}`);
    return cidr;
  });
}

function policy(changes: Partial<AddressPolicy> = {}): AddressPolicy {
  return { allowLocalHosts: false, allowedNetworks: [], deniedNetworks: [], variablePrefix: 'GOPHER_', ...changes };
}

function resolved(address: string): ResolvedAddress {
  return { address, family: isIP(address) === 4 ? 4 : 6 };
}

const judge = (address: string, changes: Partial<AddressPolicy> = {}): string | null =>
  judgeAddress(resolved(address), policy(changes));

describe('by default', () => {
  test.each(['9.9.9.9', '192.0.1.1', '2620:fe::fe', '64:ff9b::909:909'])('%s is connected to', (address) => {
    expect(judge(address)).toBeNull();
  });

  test.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['100.64.0.1', 'non-global'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['fe80::1%eth0', 'link-local'],
  ])('%s is refused as %s', (address, refusal) => {
    expect(judge(address)).toBe(refusal);
  });

  test('an address of the wrong family is refused', () => {
    expect(judgeAddress({ address: '9.9.9.9', family: 6 }, policy())).toBe('reserved');
  });
});

describe('with local hosts allowed', () => {
  const allowLocalHosts = true;

  test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.1.1', '169.254.1.1', 'fe80::1', 'fd00::1', '9.9.9.9'])(
    '%s is connected to',
    (address) => {
      expect(judge(address, { allowLocalHosts })).toBeNull();
    },
  );

  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fe80::a9fe:a9fe',
    '100.100.100.200',
    '168.63.129.16',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('%s serves credentials and stays refused', (address) => {
    expect(judge(address, { allowLocalHosts })).toBe('cloud-metadata');
  });
});

test('a metadata address that looks public is refused even without local hosts', () => {
  expect(judge('168.63.129.16')).toBe('cloud-metadata');
});

describe('allowed networks', () => {
  const allowedNetworks = cidrs('127.0.0.0/8', '::1', '169.254.169.254');

  test.each(['127.0.0.1', '127.255.0.1', '::1'])('%s inside is connected to although local', (address) => {
    expect(judge(address, { allowedNetworks })).toBeNull();
  });

  test('an address of a metadata service has to be listed, and may be', () => {
    expect(judge('169.254.169.254', { allowedNetworks })).toBeNull();
  });

  test.each(['10.0.0.1', '192.168.0.1', '::ffff:10.0.0.1'])('%s outside stays refused', (address) => {
    expect(judge(address, { allowedNetworks })).toBe('private');
  });

  test('public addresses stay open beside them', () => {
    expect(judge('9.9.9.9', { allowedNetworks })).toBeNull();
  });
});

describe('denied networks', () => {
  const deniedNetworks = cidrs('9.9.9.0/24', '127.0.0.0/8', '2620:fe::/32');

  test.each(['9.9.9.9', '2620:fe::fe'])('%s inside is refused although public', (address) => {
    expect(judge(address, { deniedNetworks })).toBe('denied-network');
  });

  test('they go before every permission', () => {
    const permissions = { allowLocalHosts: true, allowedNetworks: cidrs('127.0.0.1') };
    expect(judge('127.0.0.1', { ...permissions, deniedNetworks })).toBe('denied-network');
  });

  test.each(['::ffff:9.9.9.9', '64:ff9b::909:909', '2002:909:909::'])(
    'wrapping as %s does not get round them',
    (address) => {
      expect(judge(address, { deniedNetworks, allowLocalHosts: true })).toBe('denied-network');
    },
  );

  test('other addresses are not touched', () => {
    expect(judge('9.9.8.9', { deniedNetworks })).toBeNull();
  });
});

describe('the addresses of a host', () => {
  test('come back in their order when all are fit', () => {
    const addresses = [resolved('2620:fe::fe'), resolved('9.9.9.9')];
    expect(checkAddresses('example.org', addresses, policy())).toEqual({ ok: true, value: addresses });
  });

  test.each([0, 1, 2])('one inside address at place %i refuses the host', (place) => {
    const addresses = [resolved('9.9.9.9'), resolved('9.9.9.10')];
    addresses.splice(place, 0, resolved('10.0.0.7'));
    const checked = checkAddresses('example.org', addresses, policy());
    expect(checked).toMatchObject({ ok: false, error: { code: 'BLOCKED', facts: { reason: 'address_class' } } });
  });

  test.each<[string, string, Partial<AddressPolicy>]>([
    ['10.0.0.7', 'private', {}],
    ['169.254.169.254', 'metadata', { allowLocalHosts: true }],
    ['9.9.9.9', 'GOPHER_DENIED_NETWORKS', { deniedNetworks: cidrs('9.9.9.9') }],
  ])('the message on %s names host and class (%s), never the address', (address, named, changes) => {
    const checked = checkAddresses('inside.example.org', [resolved(address)], policy(changes));
    if (checked.ok) throw new Error('was not refused');
    expect(checked.error.message).toContain('inside.example.org');
    expect(checked.error.message).toContain(named);
    expect(JSON.stringify([checked.error.message, checked.error.facts])).not.toContain(address);
    expect(checked.error.cause).toMatchObject({ address });
  });
});
