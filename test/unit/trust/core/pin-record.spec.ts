import { describe, expect, test } from '@jest/globals';
import {
  endpointOf,
  isPinExpired,
  parsePin,
  parsePins,
  pinKey,
  serialisePin,
} from '../../../../src/trust/core/pin-record.js';

const HEX = 'ab'.repeat(32);
const VALUE = {
  host: 'example.org',
  port: 1965,
  fingerprint: HEX,
  first_seen: 1736937000.25,
  last_seen: 1736937001,
  expires: 1768473000,
};

describe('keys', () => {
  test.each([
    ['example.org', 1965, 'example.org:1965'],
    ['::1', 1965, '::1:1965'],
    ['192.0.2.1', 65535, '192.0.2.1:65535'],
  ])('of %s port %d', (host, port, key) => {
    expect(pinKey({ host, port })).toBe(key);
    expect(endpointOf(key)).toEqual({ host, port });
  });

  test.each([
    '',
    ':1965',
    'example.org',
    'example.org:',
    'example.org:0',
    'example.org:65536',
    'example.org:x',
    'a:-1',
  ])('are not seen in %j', (key) => expect(endpointOf(key)).toBeNull());
});

describe('parsePin', () => {
  test('reads all members', () => {
    expect(parsePin({ ...VALUE, spki: HEX.toUpperCase() })).toEqual({
      fingerprint: HEX,
      firstSeenSeconds: 1736937000.25,
      lastSeenSeconds: 1736937001,
      expiresSeconds: 1768473000,
      spki: HEX,
      extra: {},
    });
  });

  test('takes port and expires for optional, and keeps what it does not know', () => {
    const { port: _port, expires: _expires, ...rest } = VALUE;
    expect(parsePin({ ...rest, note: { by: 'hand' } })).toMatchObject({
      expiresSeconds: null,
      spki: null,
      extra: { note: { by: 'hand' } },
    });
  });

  test.each(['SHA256:' + HEX.toUpperCase(), ` ${HEX} `, Array.from({ length: 32 }, () => 'aB').join(':')])(
    'canonicalises the fingerprint %j',
    (fingerprint) => expect(parsePin({ ...VALUE, fingerprint })?.fingerprint).toBe(HEX),
  );

  test('takes a key that is no digest for unknown, not for another key', () => {
    expect(parsePin({ ...VALUE, spki: 'zz' })?.spki).toBeNull();
  });

  test('keeps a value that is no fingerprint: it matches nothing, so its host stays refused', () => {
    expect(parsePin({ ...VALUE, fingerprint: 'zz' })?.fingerprint).toBe('zz');
  });

  test.each([
    ['no host', { ...VALUE, host: undefined }],
    ['a host that is no text', { ...VALUE, host: 5 }],
    ['no fingerprint', { ...VALUE, fingerprint: undefined }],
    ['a port that is text', { ...VALUE, port: '1965' }],
    ['a port out of range', { ...VALUE, port: 70000 }],
    ['no first_seen', { ...VALUE, first_seen: undefined }],
    ['a last_seen that is text', { ...VALUE, last_seen: '1736937001' }],
    ['an expires that is text', { ...VALUE, expires: 'soon' }],
    ['an instant that no calendar has', { ...VALUE, expires: 1e300 }],
  ])('refuses %s', (_, value) => {
    expect(parsePin(value)).toBeNull();
  });
});

describe('parsePins', () => {
  test('reads an empty object', () => {
    expect(parsePins({})?.size).toBe(0);
  });

  test.each([
    ['a value that is no object', { 'a:1965': VALUE, 'b:1965': [1] }],
    ['a key that names no endpoint', { 'a:1965': VALUE, b: VALUE }],
    ['one broken pin among good ones', { 'a:1965': VALUE, 'b:1965': { ...VALUE, fingerprint: null } }],
  ])('refuses the whole file for %s', (_, members) => {
    expect(parsePins(members)).toBeNull();
  });

  test.each([
    ['0:0:0:0:0:0:0:1:1965', '::1:1965'],
    ['[::1]:1965', '::1:1965'],
    ['EXAMPLE.org.:1965', 'example.org:1965'],
    ['not a host:1965', 'not a host:1965'],
  ])('finds the pin under %s as %s', (key, canonical) => {
    expect([...(parsePins({ [key]: VALUE })?.keys() ?? [])]).toEqual([canonical]);
  });

  test.each([
    ['first', { '::1:1965': VALUE, '0::1:1965': { ...VALUE, fingerprint: 'cd'.repeat(32) } }],
    ['last', { '0::1:1965': { ...VALUE, fingerprint: 'cd'.repeat(32) }, '::1:1965': VALUE }],
  ])('of two spellings of a host counts the canonical one, standing %s', (_, members) => {
    expect(parsePins(members)?.get('::1:1965')?.fingerprint).toBe(HEX);
  });

  test('takes a key from the prototype of objects for an ordinary one', () => {
    const members: unknown = JSON.parse(`{"__proto__:1965": ${JSON.stringify(VALUE)}}`);
    expect([...(parsePins(members as Record<string, never>)?.keys() ?? [])]).toEqual(['__proto__:1965']);
  });
});

describe('serialisePin', () => {
  test('writes the members in the order of the format, without a key that is not known', () => {
    const pin = parsePin(VALUE);
    expect(pin && JSON.stringify(serialisePin('example.org:1965', pin))).toBe(JSON.stringify(VALUE));
  });

  test('adds the key and what was not known after the others', () => {
    const pin = parsePin({ ...VALUE, note: 1, spki: HEX });
    expect(pin && Object.keys(serialisePin('example.org:1965', pin))).toEqual([...Object.keys(VALUE), 'spki', 'note']);
  });

  test('names the host as it is normalised', () => {
    const pin = parsePin({ ...VALUE, host: 'Example.ORG.' });
    expect(pin && serialisePin('example.org:1970', pin)).toMatchObject({ host: 'example.org', port: 1970 });
  });
});

test('isPinExpired is false at the last instant and when the end is unknown', () => {
  const pin = parsePin(VALUE)!;
  expect(isPinExpired(pin, 1768473000_000)).toBe(false);
  expect(isPinExpired(pin, 1768473000_001)).toBe(true);
  expect(isPinExpired({ ...pin, expiresSeconds: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
});
