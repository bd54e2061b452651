import { expect, test } from '@jest/globals';
import { parseIdentityScope } from '../../../../src/gemini/core/identity-scope.js';

test.each([
  ['gemini://H:1966/app/./?secret#f', { host: 'h', port: 1966, path: '/app/' }, 'gemini://h:1966/app/'],
  ['gemini://h', { host: 'h', port: 1965, path: '/' }, 'gemini://h/'],
  ['gemini://h/é', { host: 'h', port: 1965, path: '/é' }, 'gemini://h/%C3%A9'],
])('%s names a scope', (url, value, echo) => {
  expect(parseIdentityScope(url)).toEqual({ scope: { ok: true, value }, echo });
});

test('what is no gemini URL is refused, and echoed without its query', () => {
  expect(parseIdentityScope('http://u@x/?secret')).toMatchObject({
    scope: { ok: false, error: { code: 'INVALID_REQUEST' } },
    echo: 'http://x/',
  });
});
