import { describe, expect, test } from '@jest/globals';
import { subjectKey, tenantKey } from '../../../../src/auth/core/quota-keys.js';
import { LOCAL_PRINCIPAL, type Principal } from '../../../../src/common/principal.js';

const principal = (tenant: string, subject: string): Principal => ({ tenant, subject, scopes: new Set() });

describe('the name under which use is counted', () => {
  test.each([
    ['192.0.2.7', 'address:192.0.2.7'],
    ['::ffff:192.0.2.7', 'address:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', 'address:2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', 'address:2001:db8:1:3::/64'],
    ['::1', 'address:::/64'],
  ])('of a caller from %s who need not say who they are is %s', (address, key) => {
    expect(subjectKey(LOCAL_PRINCIPAL, address)).toBe(key);
  });

  test('of a known caller does not depend on the address', () => {
    const one = subjectKey(principal('acme', 'ann'), '192.0.2.7');
    expect(subjectKey(principal('acme', 'ann'), '192.0.2.8')).toBe(one);
    expect(subjectKey(principal('acme', 'bob'), '192.0.2.7')).not.toBe(one);
    expect(tenantKey(principal('acme', 'ann'))).toBe(tenantKey(principal('acme', 'bob')));
  });

  test('cannot be chosen to be that of somebody else', () => {
    const keys = [
      subjectKey(principal('a', 'b","c'), undefined),
      subjectKey(principal('a","b', 'c'), undefined),
      subjectKey(principal('a', 'local'), '192.0.2.7'),
      subjectKey(LOCAL_PRINCIPAL, '192.0.2.7'),
      subjectKey(LOCAL_PRINCIPAL, undefined),
      tenantKey(principal('subject', 'x')),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
