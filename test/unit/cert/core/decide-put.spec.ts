import { describe, expect, test } from '@jest/globals';
import { decidePut, isStemShared, withOwnKeyId } from '../../../../src/cert/core/decide-put.js';
import { scopeKey, type IdentityRecord } from '../../../../src/cert/core/identity-record.js';

const ID = '0'.repeat(32);
const FRESH = 'f'.repeat(32);

function record(over: Partial<IdentityRecord> = {}): IdentityRecord {
  return {
    host: 'a.example',
    port: 1965,
    path: '/',
    fingerprint: `sha256:${'aa'.repeat(32)}`,
    subject: 'O=o,CN=old-name',
    issuer: 'O=o,CN=old-name',
    notBefore: '',
    notAfter: '',
    keyId: ID,
    extra: {},
    ...over,
  };
}

function registryOf(...records: readonly IdentityRecord[]): ReadonlyMap<string, IdentityRecord> {
  return new Map(records.map((one) => [scopeKey(one), one]));
}

const OTHER = record({ fingerprint: `sha256:${'bb'.repeat(32)}` });

test.each([
  ['comes in where there is none', undefined, false, false, 'added'],
  ['is there already', record(), true, false, 'unchanged'],
  ['comes in where its files are gone', record(), false, false, 'added'],
  ['leaves another one in place', OTHER, true, false, 'differs'],
  ['leaves another one in place even without files', OTHER, false, false, 'differs'],
  ['takes the place of another one where it may', OTHER, true, true, 'replaced'],
])('an identity %s', (_, current, isUsable, mayReplace, outcome) => {
  expect(decidePut(current, isUsable, record(), mayReplace)).toBe(outcome);
});

describe('a key id', () => {
  const elsewhere = record({ path: '/elsewhere/' });

  test.each([
    ['is kept', record(), registryOf(), ID],
    ['is kept where the same scope has it', record(), registryOf(record()), ID],
    ['is drawn anew where another identity has it', record(), registryOf(elsewhere), FRESH],
    ['is drawn for an old entry without one', record({ keyId: null }), registryOf(), FRESH],
    ['is drawn for one that names no file of ours', record({ keyId: '../x' }), registryOf(), FRESH],
  ])('%s', (_, one, registry, keyId) => {
    expect(withOwnKeyId(one, registry, FRESH)).toEqual({ ...one, keyId });
  });

  test('is shared by old entries with one name, of different scopes', () => {
    const [one, other] = [record({ keyId: null }), record({ keyId: null, path: '/b/' })];
    expect(isStemShared(one, registryOf(one, other))).toBe(true);
    expect(isStemShared(one, registryOf(one, elsewhere))).toBe(false);
  });
});
