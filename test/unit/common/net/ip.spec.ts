import { describe, expect, test } from '@jest/globals';
import {
  cidrContains,
  cidrReaches,
  classifyAddress,
  formatIp,
  parseCidr,
  parseIp,
  type AddressClass,
  type Cidr,
} from '../../../../src/common/net/ip.js';

function classOf(address: string): AddressClass | null {
  return classifyAddress(address, address.includes(':') ? 6 : 4);
}

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(text);
  return parsed;
}

describe('classes, with the first and the last address of each network', () => {
  test.each<[AddressClass, string, string]>([
    ['unspecified', '0.0.0.0', '0.0.0.0'],
    ['private', '0.0.0.1', '0.255.255.255'],
    ['private', '10.0.0.0', '10.255.255.255'],
    ['non-global', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['link-local', '169.254.0.0', '169.254.255.255'],
    ['private', '172.16.0.0', '172.31.255.255'],
    ['private', '192.0.0.0', '192.0.0.255'],
    ['private', '192.0.2.0', '192.0.2.255'],
    ['private', '192.88.99.0', '192.88.99.255'],
    ['private', '192.168.0.0', '192.168.255.255'],
    ['private', '198.18.0.0', '198.19.255.255'],
    ['private', '198.51.100.0', '198.51.100.255'],
    ['private', '203.0.113.0', '203.0.113.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['private', '240.0.0.0', '255.255.255.255'],
    ['unspecified', '::', '::'],
    ['loopback', '::1', '::1'],
    ['reserved', '::2:0:0:0', '00ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['private', '64:ff9b:1::808:808', '64:ff9b:1:ffff:ffff:ffff:808:808'],
    ['private', '100::', '100::ffff:ffff:ffff:ffff'],
    ['reserved', '100:0:0:1::', '1ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['reserved', '200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['private', '2001:2::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['private', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['private', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['reserved', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['private', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['reserved', 'fe00::', 'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s: %s to %s', (expected, first, last) => {
    expect([classOf(first), classOf(last)]).toEqual([expected, expected]);
  });
});

describe('public addresses pass, also those that look alike', () => {
  test.each([
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.31.196.1',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.114.0',
    '223.255.255.255',
    '2000::',
    '2001:200::',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2620:4f:8000::1',
    '2a00:1450::7f00:1',
    '2a00:1450::5efd:127.0.0.1',
    '3ffe:ffff::1',
    '3fff:1000::',
  ])('%s', (address) => {
    expect(classOf(address)).toBeNull();
  });
});

describe('a wrapped IPv4 address counts', () => {
  test.each<[string, string, AddressClass | null]>([
    ['mapped, dotted', '::ffff:127.0.0.1', 'loopback'],
    ['mapped, hexadecimal', '::ffff:7f00:1', 'loopback'],
    ['mapped, in full', '0:0:0:0:0:FFFF:A9FE:A9FE', 'link-local'],
    ['mapped, public', '::ffff:8.8.8.8', null],
    ['NAT64, inside', '64:ff9b::7f00:1', 'loopback'],
    ['NAT64, dotted', '64:ff9b::10.0.0.1', 'private'],
    ['NAT64, public: how a network without IPv4 reaches it', '64:ff9b::808:808', null],
    ['NAT64 of local use, inside', '64:ff9b:1::7f00:1', 'loopback'],
    ['compatible, inside', '::7f00:1', 'loopback'],
    ['compatible, public: nothing routes it', '::8.8.8.8', 'reserved'],
    ['translated, inside', '::ffff:0:169.254.169.254', 'link-local'],
    ['translated, public', '::ffff:0:8.8.8.8', 'reserved'],
    ['6to4, inside', '2002:7f00:1::', 'loopback'],
    ['6to4, carrier-grade NAT', '2002:6440:1::1', 'non-global'],
    ['6to4, public', '2002:808:808::1', null],
    ['Teredo server inside', '2001:0:7f00:1::', 'loopback'],
    ['Teredo client inside, bits inverted', '2001:0:808:808:0:0:80ff:fffe', 'loopback'],
    ['Teredo, both public: refused for its own block', '2001:0:808:808:0:0:f7f7:f7f7', 'private'],
    ['ISATAP, inside', '2a00:1450::5efe:192.168.0.1', 'private'],
    ['ISATAP with the universal bit', '2a00:1450::200:5efe:127.0.0.1', 'loopback'],
    ['ISATAP, public', '2a00:1450::5efe:8.8.8.8', null],
    ['ISATAP in a link-local prefix', 'fe80::5efe:8.8.8.8', 'link-local'],
    ['6to4 around ISATAP: the more severe one is named', '2002:a00:1::5efe:127.0.0.1', 'loopback'],
  ])('%s', (_, address, expected) => {
    expect(classOf(address)).toBe(expected);
  });
});

describe('what cannot be read is refused', () => {
  test.each([
    ['', 4],
    ['localhost', 4],
    ['127.1', 4],
    ['0177.0.0.1', 4],
    ['2130706433', 4],
    ['::1', 4],
    ['8.8.8.8', 6],
    ['[2606:4700::1]', 6],
  ] as const)('%j as IPv%d', (address, family) => {
    expect(classifyAddress(address, family)).toBe('reserved');
  });

  test('a zone id does not hide a class', () => {
    expect(classifyAddress('fe80::1%eth0', 6)).toBe('link-local');
    expect(classifyAddress('::1%lo', 6)).toBe('loopback');
  });
});

describe('formatIp gives the canonical text', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::ffff:0102:0304', '::ffff:1.2.3.4'],
    ['::1.2.3.4', '::102:304'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, expected) => {
    const parsed = parseIp(text);
    expect(parsed && formatIp(parsed)).toBe(expected);
  });
});

describe('networks', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.128/25', '192.0.2.255', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7/32', '192.0.2.6', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', 'ffff::', true],
    ['::/0', '1.2.3.4', false],
    ['fd00::/8', 'fdff::1', true],
    ['fd00::/8', 'fc00::1', false],
    ['2001:db8:8000::/33', '2001:db8:8000::1', true],
    ['2001:db8:8000::/33', '2001:db8:7fff::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::1/128', '::1', true],
    ['::1/127', '::2', false],
    ['127.0.0.0/8', '::ffff:127.0.0.1', false],
    ['127.0.0.0/8', 'localhost', false],
  ])('%s holds %s: %s', (network, address, expected) => {
    expect(cidrContains(cidr(network), address)).toBe(expected);
  });

  test.each([
    ['127.0.0.0/8', '127.0.0.1', true],
    ['127.0.0.0/8', '::ffff:127.0.0.1', true],
    ['127.0.0.0/8', '2002:7f00:1::', true],
    ['10.0.0.0/8', '2001:0:808:808:0:0:f5ff:fffe', true],
    ['2002::/16', '2002:7f00:1::', true],
    ['10.0.0.0/8', '::ffff:127.0.0.1', false],
    ['10.0.0.0/8', 'localhost', false],
  ])('%s reaches %s: %s', (network, address, expected) => {
    expect(cidrReaches(cidr(network), address)).toBe(expected);
  });

  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8x',
    '10.0.0/8',
    'fd00::/129',
    '[fd00::]/8',
    'example.org/8',
    '10.0.0.0 /8',
    '10.0.0.0/0008',
  ])('%j is no network', (text) => {
    expect(parseCidr(text)).toBeNull();
  });
});
