import { describe, expect, test } from '@jest/globals';
import { echoRefused, MAX_URL_BYTES, parseGeminiUrl, type GeminiRequest } from '../../../../src/gemini/core/url.js';

function parsed(url: string, answer: string | null = null): GeminiRequest {
  const result = parseGeminiUrl(url, answer);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function refusal(url: string, answer: string | null = null): { code: string; message: string; next: string } {
  const result = parseGeminiUrl(url, answer);
  if (result.ok) throw new Error(`${url} was not refused`);
  const { code, message, facts } = result.error;
  return { code, message, next: facts.next_step ?? '' };
}

describe('what is sent', () => {
  test.each([
    ['no path', 'gemini://h', 'gemini://h/'],
    ['no path but a query', 'gemini://h?q', 'gemini://h/?q'],
    ['scheme and host in capitals', 'GEMINI://Host.Example/Case', 'gemini://host.example/Case'],
    ['the default port', 'gemini://h:1965/x', 'gemini://h/x'],
    ['an empty port', 'gemini://h:/x', 'gemini://h/x'],
    ['another port with zeros in front', 'gemini://h:01966/x', 'gemini://h:1966/x'],
    ['an IPv6 literal', 'gemini://[2001:DB8::1]:1966/', 'gemini://[2001:db8::1]:1966/'],
    ['an IPv6 literal with a zone', 'gemini://[fe80::1%25eth0]/', 'gemini://[fe80::1]/'],
    ['a trailing dot of the host', 'gemini://h.example./', 'gemini://h.example/'],
    ['a host beyond ASCII, sharp s kept', 'gemini://straße.example/', 'gemini://xn--strae-oqa.example/'],
    ['an empty userinfo', 'gemini://@h/', 'gemini://h/'],
    ['a fragment', 'gemini://h/x#frag?notq', 'gemini://h/x'],
    ['a bare question mark', 'gemini://h/x?', 'gemini://h/x?'],
    ['a second question mark', 'gemini://h/x?a?b', 'gemini://h/x?a?b'],
    ['dot segments', 'gemini://h/a/./b/../c%2Fd/../../../e%2Fx', 'gemini://h/e%2Fx'],
    ['encoded dot segments', 'gemini://h/%7Euser/%2E%2e/z', 'gemini://h/z'],
    ['dots above the root', 'gemini://h/../../up', 'gemini://h/up'],
    ['a trailing dot segment', 'gemini://h/a/b/..', 'gemini://h/a/'],
    ['double slashes', 'gemini://h//double//slash', 'gemini://h//double//slash'],
    ['odd escapes', 'gemini://h/%zz%00%2f', 'gemini://h/%zz%00%2f'],
    ['odd ASCII', 'gemini://h/x|y"<>^`{}\\;b=c', 'gemini://h/x|y"<>^`{}\\;b=c'],
    ['characters beyond ASCII', 'gemini://h/é/x?ü', 'gemini://h/%C3%A9/x?%C3%BC'],
    [
      'an encoded URL in the query',
      'gemini://h/i?https%3A%2F%2Fe.org%2F/../a',
      'gemini://h/i?https%3A%2F%2Fe.org%2F/../a',
    ],
    ['a space in the fragment', 'gemini://h/x#a b', 'gemini://h/x'],
  ])('%s', (_, url, wireUrl) => {
    expect(parsed(url).wireUrl).toBe(wireUrl);
  });

  test.each([
    ['the answer replaces query and fragment', 'gemini://h/ask?old=1#f', 'new', 'gemini://h/ask?new'],
    ['an empty answer is an answer', 'gemini://h/ask', '', 'gemini://h/ask?'],
    [
      'all but unreserved characters are encoded',
      'gemini://h/ask',
      'a b&c=é/?#-._~\n',
      'gemini://h/ask?a%20b%26c%3D%C3%A9%2F%3F%23-._~%0A',
    ],
    ['a question mark in the fragment is cut off too', 'gemini://h/ask#f?x', 'new', 'gemini://h/ask?new'],
  ])('%s', (_, url, answer, wireUrl) => {
    expect(parsed(url, answer).wireUrl).toBe(wireUrl);
  });
});

describe('what is known of a request', () => {
  test('the path stays as written, the echo is encoded and has no query', () => {
    expect(parsed('gemini://H:1966/é/./x?secret')).toEqual({
      host: 'h',
      port: 1966,
      key: null,
      robotsPaths: ['/%C3%A9/x', '/%C3%A9/x?secret'],
      path: '/é/x',
      query: 'secret',
      wireUrl: 'gemini://h:1966/%C3%A9/x?secret',
      displayUrl: 'gemini://h:1966/%C3%A9/x',
    });
  });

  test('without a query the canonical URL is the key of all its spellings', () => {
    const spellings = ['gemini://h/a/b', 'GEMINI://H.:1965/x/../a/%2e/b#f', 'gemini://@h:01965/a/b'];
    expect(new Set(spellings.map((url) => parsed(url).key))).toEqual(new Set(['gemini://h/a/b']));
  });

  test('an empty query is a query: nothing is stored under it', () => {
    expect(parsed('gemini://h/x?')).toMatchObject({ key: null, query: '' });
  });
});

describe('what is refused', () => {
  test.each([
    ['another scheme', 'gopher://x/', 'gopher_fetch'],
    ['the web', 'HTTPS://x/', 'Use another tool for the web.'],
    ['a scheme without slashes', 'gemini:x', 'Give the full URL'],
    ['no scheme', 'x?secret', 'Give the full URL'],
    ['a blank in front', ' gemini://h/', 'Give the full URL'],
    ['a space in the path', 'gemini://h/a b', '%20'],
    ['a space in the query', 'gemini://h/q?a b', '%20'],
    ['a tab', 'gemini://h/a\tb', ''],
    ['a line break in the fragment', 'gemini://h/a#\n', ''],
    ['a delete character', 'gemini://h/a\x7fb', ''],
    ['a lone surrogate', 'gemini://h/a\ud800', ''],
    ['no host', 'gemini://', ''],
    ['a path only', 'gemini:///x', ''],
    ['a user', 'gemini://user@h/', ''],
    ['a password', 'gemini://:pw@h/', ''],
    ['port 0', 'gemini://h:0/', ''],
    ['a port above 65535', 'gemini://h:70000/', ''],
    ['a port of letters', 'gemini://h:abc/', ''],
    ['an unclosed bracket', 'gemini://[::1/x', ''],
    ['a host with a space', 'gemini://exa mple/', ''],
    ['a host with an escape', 'gemini://127%2e0.0.1/', ''],
    ['an empty label', 'gemini://a..b/', ''],
    ['a label of 64 characters', `gemini://${'a'.repeat(64)}.example/`, ''],
    ['a blank before the host', 'gemini:// h/', ''],
    ['a wide blank behind the host', 'gemini://h\u3000/', ''],
  ])('%s', (_, url, next) => {
    const refused = refusal(url);
    expect(refused.code).toBe('INVALID_REQUEST');
    expect(refused.next).toContain(next);
  });

  test('1024 bytes are sent, 1025 are not', () => {
    const stem = 'gemini://h/';
    expect(parsed(stem + 'a'.repeat(MAX_URL_BYTES - stem.length)).wireUrl).toHaveLength(1024);
    expect(refusal(stem + 'a'.repeat(MAX_URL_BYTES + 1 - stem.length)).message).toContain('1024');
  });

  test('the limit holds for the bytes on the wire: escapes count, fragments and dot segments do not', () => {
    expect(refusal(`gemini://h/${'é'.repeat(400)}`).code).toBe('INVALID_REQUEST');
    expect(parsed(`gemini://h/x#${'f'.repeat(5000)}`).wireUrl).toBe('gemini://h/x');
    expect(parsed(`gemini://h/${'./'.repeat(5000)}x`).wireUrl).toBe('gemini://h/x');
  });

  test('an answer that makes the URL too long is not quoted', () => {
    const { message, next } = refusal('gemini://h/ask', 'x'.repeat(1100));
    expect(message).toContain('1024');
    expect(message).not.toContain('xxx');
    expect(next).toContain('shorter');
  });

  test.each([
    'gemini://secrethost exa/?secret',
    'gemini://secret:secret@h/',
    'secret://h/?secret',
    'gemini://h:secret/',
  ])('no message quotes %s', (url) => {
    const { message, next } = refusal(url);
    expect(message + next).not.toContain('secret');
  });
});

describe('the echo of a refused URL', () => {
  test.each([
    ['http://x/?secret', 'http://x/'],
    ['x?secret', 'x'],
    ['gemini://h/a\tb', 'gemini://h/a\tb'],
    ['gemini://user:pw@h:1/a@b?q@c', 'gemini://h:1/a@b'],
    ['gemini://us@er:pw@h/', 'gemini://h/'],
    ['user:pw@h/x', 'h/x'],
    ['gemini:/user:pw@h/', 'gemini:/h/'],
    ['gemini:user:pw@h', 'h'],
    ['//user@h/', '//h/'],
    ['gemini://h/x#frag@y', 'gemini://h/x#frag@y'],
    ['gemini://h/\u202ex\u0007', 'gemini://h/x'],
    ['', ''],
    ['@', ''],
    ['?', ''],
  ])('%j becomes %j', (url, echo) => {
    expect(echoRefused(url)).toBe(echo);
  });
});
