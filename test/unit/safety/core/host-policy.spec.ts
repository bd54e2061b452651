import { describe, expect, test } from '@jest/globals';
import { HostPolicy } from '../../../../src/safety/core/host-policy.js';

function allows(allowedHosts: string[] | null, host: string): boolean {
  return new HostPolicy({ allowedHosts, variablePrefix: 'GEMINI_' }).check(host) === null;
}

test('without a list every host is allowed', () => {
  expect(allows(null, 'example.org')).toBe(true);
});

test.each<[string, string, boolean]>([
  ['example.org', 'example.org', true],
  ['Example.ORG.', 'example.org', true],
  [' example.org ', 'example.org', true],
  ['bücher.example', 'xn--bcher-kva.example', true],
  ['[2001:DB8::1]', '2001:db8::1', true],
  ['2001:db8:0::1', '2001:db8::1', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['example.org', 'www.example.org', false],
  ['example.org', 'notexample.org', false],
  ['example.org', 'example.org.evil.test', false],
  ['127.0.0.1', '127.0.0.2', false],
])('entry "%s" and host "%s": allowed %s', (entry, host, allowed) => {
  expect(allows([entry], host)).toBe(allowed);
});

test.each<[string, string, boolean]>([
  ['.example.org', 'www.example.org', true],
  ['.example.org', 'a.b.c.example.org', true],
  ['.EXAMPLE.org.', 'www.example.org', true],
  ['.bücher.example', 'www.xn--bcher-kva.example', true],
  ['.org', 'example.org', true],
  ['.example.org', 'example.org', false],
  ['.example.org', 'badexample.org', false],
  ['.example.org', 'example.org.evil.test', false],
  ['.0.0.1', '127.0.0.1', false],
  ['.::1', '::1', false],
])('domain entry "%s" and host "%s": allowed %s', (entry, host, allowed) => {
  expect(allows([entry], host)).toBe(allowed);
});

test('an apex and its domain can both be listed', () => {
  expect(allows(['example.org', '.example.org'], 'example.org')).toBe(true);
  expect(allows(['example.org', '.example.org'], 'www.example.org')).toBe(true);
});

describe('what is no host', () => {
  test.each([[[]], [['']], [['.']], [['a b', '*.example.org', 'http://example.org']]])(
    '%j restricts to nothing instead of lifting the restriction',
    (entries) => {
      expect(allows(entries, 'example.org')).toBe(false);
    },
  );
});

test('a refusal is the caller’s to understand: code, reason, host and variable', () => {
  const refusal = new HostPolicy({ allowedHosts: ['a.test'], variablePrefix: 'GEMINI_' }).check('b.test');
  expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', facts: { reason: 'host_not_allowed' } });
  expect(refusal?.message).toContain('b.test');
  expect(refusal?.message).toContain('GEMINI_ALLOWED_HOSTS');
});
