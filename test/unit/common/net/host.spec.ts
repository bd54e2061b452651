import { describe, expect, test } from '@jest/globals';
import { bracketed, isIpLiteral, normalizeHost } from '../../../../src/common/net/host.js';

describe('normalizeHost', () => {
  test.each([
    ['lower case', 'Example.ORG', 'example.org'],
    ['one trailing dot off', 'example.org.', 'example.org'],
    ['outer blanks off', ' example.org\t', 'example.org'],
    ['a single label', 'localhost', 'localhost'],
    ['underscores and outer hyphens, which are in use', '_a-.-b.test', '_a-.-b.test'],
    ['an A-label as it is', 'XN--Bcher-KVA.example', 'xn--bcher-kva.example'],
    ['a U-label', 'Bücher.example', 'xn--bcher-kva.example'],
    ['the sharp s kept apart from ss', 'straße.de', 'xn--strae-oqa.de'],
    ['ideographic dots', 'example。org。', 'example.org'],
    ['full-width letters', 'ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
    ['a Kelvin sign', '\u212aelvin.test', 'kelvin.test'],
    ['a soft hyphen inside', 'bü\u00adcher.de', 'xn--bcher-kva.de'],
    ['circled digits that make an address', '①②⑦.0.0.1', '127.0.0.1'],
    ['IPv4', '192.0.2.1', '192.0.2.1'],
    ['IPv4 with a trailing dot', '127.0.0.1.', '127.0.0.1'],
    ['odd spellings of IPv4, which are names for the resolver', '0x7f.1', '0x7f.1'],
    ['a decimal spelling of IPv4', '2130706433', '2130706433'],
    ['IPv6 in brackets', '[::1]', '::1'],
    ['IPv6 in full', '2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['IPv6 with a dotted end', '::ffff:102:304', '::ffff:1.2.3.4'],
    ['IPv6 with an escaped zone id', '[fe80::1%25eth0]', 'fe80::1'],
    ['IPv6 with a bare zone id', 'fe80::1%eth0.5', 'fe80::1'],
    ['the longest label', `${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`],
  ])('%s', (_, host, expected) => {
    expect(normalizeHost(host)).toBe(expected);
  });

  test.each([
    ['nothing', ''],
    ['a dot', '.'],
    ['an empty label', 'a..b'],
    ['a second trailing dot', 'a..'],
    ['a leading dot', '.a'],
    ['an over-long label', 'a'.repeat(64)],
    ['an over-long name', 'abcdefg.'.repeat(32)],
    ['a very long name beyond ASCII', 'ü'.repeat(100_000)],
    ['a blank', 'exa mple'],
    ['a line break', 'exam\nple'],
    ['a percent escape', '%6cocalhost'],
    ['an at sign', 'good@evil'],
    ['a slash', 'good/evil'],
    ['a number sign', 'good#'],
    ['a backslash', 'good\\evil'],
    ['a quote', "a'b"],
    ['a slash next to what is not ASCII', 'bü/cher'],
    ['a full-width slash', 'é／evil'],
    ['a full-width at sign', 'é＠evil'],
    ['a full-width percent sign', 'é％41'],
    ['a character that folds to a/c', 'exa℀mple.test'],
    ['a U-label with an invalid joiner', 'a\u200db.com'],
    ['a port', 'host:70'],
    ['IPv6 that is none', '1::2::3'],
    ['an empty zone id', 'fe80::1%'],
    ['a zone id with a delimiter', 'fe80::1%a/b'],
    ['brackets around nothing', '[]'],
    ['an unclosed bracket', '[::1'],
  ])('%s cannot be a host', (_, host) => {
    expect(normalizeHost(host)).toBeNull();
  });
});

test('bracketed adds brackets to IPv6 only', () => {
  expect(bracketed('::1')).toBe('[::1]');
  expect(bracketed('127.0.0.1')).toBe('127.0.0.1');
  expect(bracketed('example.org')).toBe('example.org');
});

test.each([
  ['127.0.0.1', 4],
  ['::1', 6],
  ['example.org', 0],
  ['127.1', 0],
  ['[::1]', 0],
  ['', 0],
] as const)('isIpLiteral(%j) is %d', (host, family) => {
  expect(isIpLiteral(host)).toBe(family);
});
