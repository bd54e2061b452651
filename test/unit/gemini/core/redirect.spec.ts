import { describe, expect, test } from '@jest/globals';
import { redirectAnswer, redirectTarget } from '../../../../src/gemini/core/redirect.js';
import { parseGeminiUrl, type GeminiRequest } from '../../../../src/gemini/core/url.js';

function request(url: string): GeminiRequest {
  const parsed = parseGeminiUrl(url);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function redirected(url: string, meta: string, status = 30): object {
  const header = { status, meta };
  const target = redirectTarget(request(url), header);
  return target.ok
    ? redirectAnswer(header, target.value)
    : { code: target.error.code, message: target.error.message, ...target.error.facts };
}

const PAGE = 'gemini://h:1966/a/b/c';

describe('targets', () => {
  test.each([
    ['other.gmi', 'gemini://h:1966/a/b/other.gmi', false, 'gemini'],
    ['../y', 'gemini://h:1966/a/y', false, 'gemini'],
    ['/', 'gemini://h:1966/', false, 'gemini'],
    ['../../d/./e', 'gemini://h:1966/d/e', false, 'gemini'],
    ['?q=1', 'gemini://h:1966/a/b/c?q=1', false, 'gemini'],
    ['?', 'gemini://h:1966/a/b/c?', false, 'gemini'],
    ['/f#sec', 'gemini://h:1966/f#sec', false, 'gemini'],
    ['  /trimmed  ', 'gemini://h:1966/trimmed', false, 'gemini'],
    ['/a b', 'gemini://h:1966/a%20b', false, 'gemini'],
    ['/ü', 'gemini://h:1966/%C3%BC', false, 'gemini'],
    ['//h:1966/np', 'gemini://h:1966/np', false, 'gemini'],
    ['GEMINI://H.:1966/Up', 'GEMINI://H.:1966/Up', false, 'gemini'],
    ['gemini://h/a/b/c', 'gemini://h/a/b/c', true, 'gemini'],
    ['gemini://other/a/b/c', 'gemini://other/a/b/c', true, 'gemini'],
    ['//other.test/p', 'gemini://other.test/p', true, 'gemini'],
    ['HTTPS://h:1966/', 'HTTPS://h:1966/', true, 'https'],
    ['gopher://example.org/1/', 'gopher://example.org/1/', true, 'gopher'],
    ['mailto:a@b.example', 'mailto:a@b.example', true, 'mailto'],
    ['file:///etc/hosts', 'file:///etc/hosts', true, 'file'],
  ])('%j', (meta, url, crossHost, scheme) => {
    expect(redirected(PAGE, meta)).toEqual({
      kind: 'redirect',
      new_url: url,
      permanent: false,
      cross_host: crossHost,
      scheme,
    });
  });

  test.each([
    [30, false],
    [31, true],
    [39, false],
  ])('status %i: permanent %s', (status, permanent) => {
    expect(redirected(PAGE, '/x', status)).toMatchObject({ permanent });
  });

  test('a query of the request does not travel into the target, and may be dropped', () => {
    expect(redirected('gemini://h/self?secret', '/self')).toMatchObject({ new_url: 'gemini://h/self' });
    expect(redirected('gemini://h/d/self?secret', 'x')).toMatchObject({ new_url: 'gemini://h/d/x' });
  });
});

describe('what is no target', () => {
  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a control character', '/a\u001bc'],
    ['a tab', '/a\tb'],
    ['a bidi override', '/a\u202eb'],
    ['an unclosed bracket', '//[::1'],
    ['a bad port', 'gemini://h:99999/'],
    ['a user', 'gemini://user@h/x'],
    ['a user on the web', 'https://user:pw@h/'],
    ['a host that is none', 'gemini://exa mple/'],
    ['a host that is none on the web', 'https://exa mple/'],
    ['no host', 'gemini:///x'],
    ['no authority', 'gemini:x'],
    ['more than may be sent', `/${'x'.repeat(1024)}`],
  ])('%s', (_, meta) => {
    expect(redirected(PAGE, meta, 31)).toMatchObject({ code: 'INVALID_REDIRECT', status: 31 });
  });

  test.each([
    'c',
    './c',
    '/x/../a/b/c',
    '#again',
    'c#again',
    '//h:1966/a/b/c',
    'gemini://h:1966/a/b/c',
    'GEMINI://H.:01966/a/b/c',
    '/%61/b/%63',
    '/a/%62/c#x',
    '/a/%2e/b/c',
  ])('the same request in another spelling: %s', (meta) => {
    expect(redirected(PAGE, meta)).toMatchObject({
      code: 'INVALID_REDIRECT',
      message: expect.stringContaining('same URL'),
    });
  });

  test('escapes that differ in case only, and a default port, are the same request too', () => {
    expect(redirected('gemini://h/%c3%bc%2f', '//h:1965/%C3%BC%2F')).toMatchObject({ code: 'INVALID_REDIRECT' });
    expect(redirected('gemini://h/x?a', '?%61')).toMatchObject({ code: 'INVALID_REDIRECT' });
  });

  test('an escaped slash is another request than a slash', () => {
    expect(redirected('gemini://h/a/b', '/a%2Fb')).toMatchObject({ kind: 'redirect' });
  });
});
