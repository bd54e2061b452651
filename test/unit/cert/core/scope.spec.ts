import { describe, expect, test } from '@jest/globals';
import { ScopeIndex } from '../../../../src/cert/core/scope-index.js';
import { comparablePath, coversPath, scopeUrl } from '../../../../src/cert/core/scope.js';
import type { IdentityRecord } from '../../../../src/cert/core/identity-record.js';

describe('coversPath', () => {
  test.each([
    ['/', '/', true],
    ['/', '/anything/below', true],
    ['/api', '/api', true],
    ['/api', '/api/', true],
    ['/api', '/api/v1', true],
    ['/api', '/api_x', false],
    ['/api', '/ap', false],
    ['/api', '/', false],
    ['/app/', '/app/', true],
    ['/app/', '/app/x', true],
    ['/app/', '/app', false],
    ['/app/', '/application', false],
    ['/a/b', '/a/bc', false],
    ['/API', '/api', false],
  ])('%s for %s: %s', (scope, path, covered) => {
    expect(coversPath(scope, path)).toBe(covered);
  });
});

describe('scopeUrl', () => {
  test.each([
    [{ host: 'a.example', port: 1965, path: '/' }, 'gemini://a.example/'],
    [{ host: 'a.example', port: 1966, path: '/x/' }, 'gemini://a.example:1966/x/'],
    [{ host: '::1', port: 1965, path: '/' }, 'gemini://[::1]/'],
    [{ host: '::1', port: 70, path: '/' }, 'gemini://[::1]:70/'],
    [{ host: 'a.example', port: 1965, path: '/ä/x%20y z?#' }, 'gemini://a.example/%C3%A4/x%20y%20z%3F%23'],
  ])('of %j', (scope, url) => {
    expect(scopeUrl(scope)).toBe(url);
  });
});

test('comparablePath gives escaped and unescaped spellings one form', () => {
  expect(comparablePath('/ä')).toBe('/%C3%A4');
  expect(comparablePath('/%C3%A4')).toBe('/%C3%A4');
  expect(comparablePath("/a-b_c.d~e!f$g&h'i(j)k*l+m,n;o=p:q@r/s%20")).toBe("/a-b_c.d~e!f$g&h'i(j)k*l+m,n;o=p:q@r/s%20");
});

describe('ScopeIndex', () => {
  const record = (path: string, host = 'a.example', port = 1965): IdentityRecord => ({
    host,
    port,
    path,
    fingerprint: 'sha256:00',
    subject: '',
    issuer: '',
    notBefore: '',
    notAfter: '',
    keyId: null,
    extra: {},
  });
  const index = new ScopeIndex([
    record('/'),
    record('/app/'),
    record('/app'),
    record('/app/deep'),
    record('/ä'),
    record('/app/', 'b.example'),
    record('/app/', 'a.example', 1966),
  ]);
  const paths = (records: readonly IdentityRecord[]): string[] => records.map(({ path }) => path);

  test.each([
    ['/', ['/']],
    ['/app', ['/app', '/']],
    ['/app/', ['/app/', '/app', '/']],
    ['/app/deep/er', ['/app/deep', '/app/', '/app', '/']],
    ['/application', ['/']],
    ['/%C3%A4/x', ['/ä', '/']],
    ['/ä/x', ['/ä', '/']],
  ])('finds what covers %s, the narrowest first', (path, expected) => {
    expect(paths(index.covering({ host: 'a.example', port: 1965, path }))).toEqual(expected);
  });

  test('keeps hosts and ports apart', () => {
    expect(index.covering({ host: 'b.example', port: 1965, path: '/' })).toEqual([]);
    expect(paths(index.covering({ host: 'a.example', port: 1966, path: '/app/x' }))).toEqual(['/app/']);
    expect(index.covering({ host: 'c.example', port: 1965, path: '/app/x' })).toEqual([]);
    expect(index.within({ host: 'c.example', port: 1965, path: '/' })).toEqual([]);
  });

  test('finds what lies within a scope, without the scope itself', () => {
    expect(paths(index.within({ host: 'a.example', port: 1965, path: '/app' }))).toEqual(['/app/deep', '/app/']);
    expect(paths(index.within({ host: 'a.example', port: 1965, path: '/ä' }))).toEqual([]);
  });
});
