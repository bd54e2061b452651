import { describe, expect, test } from '@jest/globals';
import {
  fileStem,
  isIdentityExpired,
  parseIdentities,
  parseIdentity,
  scopeKey,
  serialiseIdentity,
  shownInstant,
} from '../../../../src/cert/core/identity-record.js';

const VALUE = {
  fingerprint: `sha256:${'ab'.repeat(32)}`,
  subject: 'O=Gemini Client,CN=gemini-client',
  issuer: 'O=Gemini Client,CN=gemini-client',
  not_before: '2026-11-30T21:19:22+00:00',
  not_after: '2027-11-30T21:19:22+00:00',
  host: 'a.example',
  port: 1966,
  path: '/x/',
  key_id: '0279ac3fdecd74b1bf9665421a24634c',
};

describe('parseIdentity', () => {
  test('reads all members, and writes them back in the order of the format', () => {
    const identity = parseIdentity(VALUE)!;
    expect(identity).toEqual({
      host: 'a.example',
      port: 1966,
      path: '/x/',
      fingerprint: VALUE.fingerprint,
      subject: VALUE.subject,
      issuer: VALUE.issuer,
      notBefore: VALUE.not_before,
      notAfter: VALUE.not_after,
      keyId: VALUE.key_id,
      extra: {},
    });
    expect(JSON.stringify(serialiseIdentity(scopeKey(identity), identity))).toBe(JSON.stringify(VALUE));
  });

  test('takes port, path and key_id for optional', () => {
    const { port: _port, path: _path, key_id: _keyId, ...rest } = VALUE;
    expect(parseIdentity(rest)).toMatchObject({ port: 1965, path: '/', keyId: null });
    expect(parseIdentity({ ...rest, key_id: null })).toMatchObject({ keyId: null });
  });

  test('keeps what it does not know', () => {
    const identity = parseIdentity({ ...VALUE, note: [1] })!;
    expect(serialiseIdentity('', identity)).toEqual({ ...VALUE, note: [1] });
  });

  test('canonicalises host and fingerprint, and keeps what is no fingerprint', () => {
    expect(parseIdentity({ ...VALUE, host: 'A.Example.', fingerprint: 'AB'.repeat(32) })).toMatchObject({
      host: 'a.example',
      fingerprint: VALUE.fingerprint,
    });
    expect(parseIdentity({ ...VALUE, fingerprint: 'x' })?.fingerprint).toBe('x');
  });

  test.each(['fingerprint', 'subject', 'issuer', 'not_before', 'not_after', 'host'])(
    'refuses an entry without %s',
    (member) => {
      expect(parseIdentity({ ...VALUE, [member]: undefined })).toBeNull();
      expect(parseIdentity({ ...VALUE, [member]: 1 })).toBeNull();
    },
  );

  test.each([
    ['a port that is text', { ...VALUE, port: '1965' }],
    ['a port out of range', { ...VALUE, port: 0 }],
    ['a path that is no text', { ...VALUE, path: 1 }],
    ['a key_id that is no text', { ...VALUE, key_id: 1 }],
  ])('refuses %s', (_, value) => {
    expect(parseIdentity(value)).toBeNull();
  });
});

describe('parseIdentities', () => {
  test('refuses the whole file for one broken entry', () => {
    expect(parseIdentities({ 'a.example:1966/x/': VALUE, b: [] })).toBeNull();
  });

  test.each([
    [
      'first',
      {
        'a.example:1966/x/': VALUE,
        'A.EXAMPLE:1966/x/': { ...VALUE, host: 'A.EXAMPLE', path: '/x/', port: 1966, subject: 's' },
      },
    ],
    ['last', { 'A.EXAMPLE:1966/x/': { ...VALUE, host: 'A.EXAMPLE', subject: 's' }, 'a.example:1966/x/': VALUE }],
  ])('of two spellings of a scope counts the canonical one, standing %s', (_, members) => {
    const identities = parseIdentities(members);
    expect([...(identities?.keys() ?? [])]).toEqual(['a.example:1966/x/']);
    expect(identities?.get('a.example:1966/x/')?.subject).toBe(VALUE.subject);
  });
});

describe('fileStem', () => {
  const identity = parseIdentity(VALUE)!;
  test.each([
    ['the key id', identity, VALUE.key_id],
    [
      'the common name of an old entry',
      { ...identity, keyId: null, subject: 'O=Gemini Client,CN=gemini-client-a.example-1' },
      'gemini-client-a.example-1',
    ],
    ['the common name, wherever it stands', { ...identity, keyId: null, subject: 'CN=one,O=CN\\=two' }, 'one'],
    ['the common name, unescaped', { ...identity, keyId: null, subject: 'CN=a\\,b\\+c' }, 'a,b+c'],
    ['nothing for a key id that could lead elsewhere', { ...identity, keyId: '../../x' }, null],
    ['nothing for a key id in another form', { ...identity, keyId: VALUE.key_id.toUpperCase() }, null],
    ['nothing for a common name with a separator', { ...identity, keyId: null, subject: 'CN=a/../b' }, null],
    ['nothing for a common name with a backslash', { ...identity, keyId: null, subject: 'CN=a\\\\b' }, null],
    ['nothing for a hidden name', { ...identity, keyId: null, subject: 'CN=..' }, null],
    ['nothing without a common name', { ...identity, keyId: null, subject: 'O=x' }, null],
  ])('is %s', (_, of, stem) => {
    expect(fileStem(of)).toBe(stem);
  });
});

describe('instants', () => {
  test.each([
    ['2027-11-30T21:19:22+00:00', '2027-11-30T21:19:22+00:00'],
    ['2027-11-30T22:19:22+01:00', '2027-11-30T21:19:22+00:00'],
    ['2027-11-30T21:19:22Z', '2027-11-30T21:19:22+00:00'],
    ['2027-11-30T21:19:22', '2027-11-30T21:19:22+00:00'],
    ['soon', 'soon'],
  ])('%s are shown as %s', (text, shown) => expect(shownInstant(text)).toBe(shown));

  test('say whether an identity has expired', () => {
    const identity = parseIdentity(VALUE)!;
    const endMs = Date.UTC(2027, 10, 30, 21, 19, 22);
    expect(isIdentityExpired(identity, endMs)).toBe(false);
    expect(isIdentityExpired(identity, endMs + 1)).toBe(true);
    expect(isIdentityExpired({ ...identity, notAfter: 'soon' }, endMs)).toBe(false);
  });
});
