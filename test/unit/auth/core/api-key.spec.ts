import { describe, expect, test } from '@jest/globals';
import { apiKeyId, composeApiKey, hashApiKey, isSameHash } from '../../../../src/auth/core/api-key.js';
import {
  apiKeyState,
  judgeApiKey,
  parseApiKeys,
  serialiseApiKey,
  type ApiKeyRecord,
} from '../../../../src/auth/core/api-key-record.js';
import { plannedApiKey } from '../../../../src/auth/core/new-api-key.js';

const NOW = Date.UTC(2027, 0, 1);
const { id, key } = composeApiKey(Buffer.alloc(6, 0xab), Buffer.alloc(32, 0xff));
const RECORD: ApiKeyRecord = {
  hash: hashApiKey(key),
  tenant: 'acme',
  subject: 'bot',
  scopes: ['smallweb:read'],
  createdMs: NOW,
  expiresMs: null,
  revokedMs: null,
};

describe('an API key', () => {
  test('has an id that may be shown and a secret of 256 bits', () => {
    expect(id).toBe('abababababab');
    expect(key).toMatch(/^gmcp_abababababab_[\w-]{43}$/);
    expect(apiKeyId(key)).toBe(id);
  });

  test.each(['', 'gmcp_', `${key}x`, key.slice(0, -1), `x${key}`, key.toUpperCase(), `${key}\n`])(
    'is not %j',
    (text) => {
      expect(apiKeyId(text)).toBeNull();
    },
  );

  test('is compared by hashes of one length', () => {
    expect(isSameHash(hashApiKey(key), RECORD.hash)).toBe(true);
    expect(isSameHash(hashApiKey('x'), RECORD.hash)).toBe(false);
    expect(isSameHash('', RECORD.hash)).toBe(false);
  });
});

describe('a record of a key', () => {
  test.each([
    ['good', {}],
    ['good', { expiresMs: NOW + 1 }],
    ['expired', { expiresMs: NOW }],
    ['revoked', { revokedMs: NOW + 5, expiresMs: NOW }],
  ] as const)('is %s with %j', (state, change) => {
    const record = { ...RECORD, ...change };
    expect(apiKeyState(record, NOW)).toBe(state);
    expect(judgeApiKey(record, hashApiKey(key), NOW) !== null).toBe(state === 'good');
  });

  test('stands for its principal, and for nobody with another secret or without a record', () => {
    expect(judgeApiKey(RECORD, hashApiKey(key), NOW)).toEqual({
      tenant: 'acme',
      subject: 'bot',
      scopes: new Set(['smallweb:read']),
    });
    expect(judgeApiKey(RECORD, hashApiKey('other'), NOW)).toBeNull();
    expect(judgeApiKey(undefined, hashApiKey(key), NOW)).toBeNull();
    expect(judgeApiKey(undefined, '0'.repeat(64), NOW)).toBeNull();
  });

  test('survives the file, which does not hold the key', () => {
    const record = { ...RECORD, expiresMs: NOW + 1000, revokedMs: NOW + 500 };
    const written = JSON.stringify({ [id]: serialiseApiKey(id, record) });
    expect(written).not.toContain(key.slice(-43));
    expect(parseApiKeys(JSON.parse(written))).toEqual(new Map([[id, record]]));
  });

  test.each([
    ['another id', { nothex: serialiseApiKey(id, RECORD) }],
    ['a hash of another kind', { [id]: { ...serialiseApiKey(id, RECORD), hash: 'md5:1' } }],
    ['a tenant with a slash', { [id]: { ...serialiseApiKey(id, RECORD), tenant: '../x' } }],
    ['a subject with a control', { [id]: { ...serialiseApiKey(id, RECORD), subject: 'a\nb' } }],
    ['an end that is no time', { [id]: { ...serialiseApiKey(id, RECORD), expires: 'soon' } }],
    ['an end that is a number', { [id]: { ...serialiseApiKey(id, RECORD), expires: 5 } }],
    ['no record', { [id]: null }],
  ])('makes the file unusable with %s', (_name, members) => {
    expect(parseApiKeys(members)).toBeNull();
  });
});

describe('the wish for a key', () => {
  const wish = { tenant: 'acme', subject: 'bot', scopes: ['smallweb:read'], expires: null };

  test('may end after days or on a day', () => {
    expect(plannedApiKey({ ...wish, expires: '2d' }, NOW)).toMatchObject({ value: { expiresMs: NOW + 172_800_000 } });
    expect(plannedApiKey({ ...wish, expires: '2027-01-03' }, NOW)).toMatchObject({
      value: { expiresMs: Date.UTC(2027, 0, 3) },
    });
  });

  test.each([
    [{ tenant: 'a/b' }],
    [{ subject: '' }],
    [{ scopes: [] }],
    [{ scopes: ['smallweb:read', 'everything'] }],
    [{ expires: '0d' }],
    [{ expires: '2026-12-31' }],
    [{ expires: 'tomorrow' }],
    [{ expires: '9999d' }],
  ])('is refused with %j', (change) => {
    expect(plannedApiKey({ ...wish, ...change }, NOW)).toMatchObject({ ok: false });
  });
});
