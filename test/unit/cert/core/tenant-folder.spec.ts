import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isTenantName } from '../../../../src/common/principal.js';
import { tenantFolder, tenantOfFolder } from '../../../../src/cert/core/tenant-folder.js';

const tenant = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);

describe('the folder of a tenant', () => {
  test.each([
    ['acme', 'acme'],
    ['acme.example', 'acme=example'],
    ['Acme.', '+acme='],
    ['org_9yB', 'org_9y+b'],
    ['a..b', 'a==b'],
  ])('%s: %s', (name, folder) => {
    expect(tenantFolder(name)).toBe(folder);
    expect(tenantOfFolder(folder)).toBe(name);
  });

  test.each(['', '.', '..', '../a', 'a/b', 'a\\b', 'a\0', 'a b', 'é', '-a', '.a', '_a', 'a'.repeat(65)])(
    'there is none for %j',
    (name) => {
      expect(tenantFolder(name)).toBeNull();
    },
  );

  test.each(['ACME', 'a.b', '+', '+9', 'a+', '=a', '+a+', '..', 'registry.json'])('%j is none', (folder) => {
    expect(tenantOfFolder(folder)).toBeNull();
  });

  test('leads back to the tenant, and is one part of a path on every system', () => {
    fc.assert(
      fc.property(tenant, (name) => {
        expect(isTenantName(name)).toBe(true);
        const folder = tenantFolder(name) ?? '';
        expect(tenantOfFolder(folder)).toBe(name);
        expect(folder).toMatch(/^[a-z0-9+][a-z0-9+=_-]*$/);
      }),
    );
  });

  test('is another one for another tenant, in any case of letters', () => {
    fc.assert(
      fc.property(tenant, tenant, (one, other) => {
        fc.pre(one !== other);
        expect(tenantFolder(one)?.toLowerCase()).not.toBe(tenantFolder(other)?.toLowerCase());
      }),
    );
  });
});
