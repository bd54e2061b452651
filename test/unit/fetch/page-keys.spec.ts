import { describe, expect, test } from '@jest/globals';
import { LOCAL_TENANT } from '../../../src/common/principal.js';
import { flightKey, separated } from '../../../src/fetch/page-keys.js';

describe('what separates stored answers', () => {
  test.each([
    ['nothing without tenants', '', LOCAL_TENANT, false, ''],
    ['the identity without tenants', 'local\0sha256:c3', LOCAL_TENANT, false, 'local\0sha256:c3'],
    ['the tenant where pages are not shared', '', 'acme', false, 'acme\0'],
    ['nothing where they are', '', 'acme', true, ''],
    ['the identity, which names its tenant, in any case', 'acme\0sha256:c3', 'acme', true, 'acme\0sha256:c3'],
    ['the identity, which names its tenant, in every case', 'acme\0sha256:c3', 'acme', false, 'acme\0sha256:c3'],
  ])('is %s', (_name, variant, tenant, isShared, expected) => {
    expect(separated(variant, tenant, isShared)).toBe(expected);
  });
});

test('downloads are shared within a tenant, and without tenants under a key of no more than the resource', () => {
  const at = { host: 'a.test:70', resource: '\0/x' };
  expect(flightKey(at, LOCAL_TENANT)).toBe('a.test:70 \0/x');
  expect(new Set(['acme', 'globex', LOCAL_TENANT].map((tenant) => flightKey(at, tenant))).size).toBe(3);
});
