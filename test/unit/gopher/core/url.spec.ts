import { describe, expect, test } from '@jest/globals';
import { parseGopherUrl, type GopherRequest } from '../../../../src/gopher/core/url.js';

const LIMITS = { maxSelectorLength: 1024, maxSearchLength: 256 };

function parsed(url: string, answer: string | null = null): GopherRequest {
  const result = parseGopherUrl(url, answer, LIMITS);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function refusal(url: string, answer: string | null = null): string {
  const result = parseGopherUrl(url, answer, LIMITS);
  if (result.ok) throw new Error('was accepted');
  expect(result.error.code).toBe('INVALID_REQUEST');
  return `${result.error.message} ${result.error.facts.next_step ?? ''}`;
}

describe('type and selector', () => {
  test.each([
    ['gopher://h', '1', ''],
    ['gopher://h/', '1', ''],
    ['gopher://h/1', '1', ''],
    ['gopher://h/0/x', '0', '/x'],
    ['gopher://h/0x', '0', 'x'],
    ['gopher://h//x', '/', 'x'],
    ['gopher://h/%31/x', '1', '/x'],
    ['gopher://h/%3Fodd', '?', 'odd'],
    ['gopher://h/%C3%A9/x', 'é', '/x'],
    ['gopher://h/é/x', 'é', '/x'],
    ['gopher://h/%F0%9F%98%80x', '😀', 'x'],
    ['gopher://h/%zz', '%', 'zz'],
    ['gopher://h/0/%zz%2', '0', '/%zz%2'],
    ['gopher://h/0/a+b', '0', '/a+b'],
    ['gopher://h/0/sp ace', '0', '/sp ace'],
    ['gopher://h/0/x#part', '0', '/x'],
    ['gopher://h#0/x', '1', ''],
  ])('%s', (url, type, selector) => {
    expect(parsed(url)).toMatchObject({ type, selectorText: selector, search: null, searchIgnored: false });
    expect(parsed(url).selector.toString()).toBe(selector);
  });

  test('bytes that are not UTF-8 stay what they are and show as U+FFFD', () => {
    const { selector, selectorText, key, robotsPaths } = parsed('gopher://h/1/caf%E9');
    expect(selector).toEqual(Buffer.from('/caf\xe9', 'latin1'));
    expect(selectorText).toBe('/caf\ufffd');
    expect(key).toBe('gopher://h/1/caf%E9');
    expect(robotsPaths).toEqual(['/caf%E9', '/1/caf%E9', '1/caf%E9']);
  });

  test('what cannot be seen is not shown, but sent', () => {
    const { selector, selectorText, url } = parsed('gopher://h/0/a%E2%80%AEb\u202ec');
    expect(selector.toString()).toBe('/a\u202eb\u202ec');
    expect(selectorText).toBe('/abc');
    expect(url).toBe('gopher://h/0/a%E2%80%AEbc');
  });

  test('robots rules may name the selector alone or behind its type', () => {
    expect(parsed('gopher://h/0About').robotsPaths).toEqual(['/About', '/0/About', '0/About']);
  });
});

describe('search', () => {
  test.each([
    ['gopher://h/7/f?one%20two', null, 'one two'],
    ['gopher://h/7/f?a+b', null, 'a+b'],
    ['gopher://h/7/f%09tabbed', null, 'tabbed'],
    ['gopher://h/7/f%09a?b', null, 'a?b'],
    ['gopher://h/7/f?', null, ''],
    ['gopher://h/7/f%09', null, ''],
    ['gopher://h/7/f', '', ''],
    ['gopher://h/7/f?old#frag', 'new', 'new'],
    ['gopher://h/7/f%09old', 'n?w %41', 'n?w %41'],
  ])('%s with %j on type 7 sends %j', (url, answer, search) => {
    const request = parsed(url, answer);
    expect(request.search?.toString()).toBe(search);
    expect(request.selectorText).toBe('/f');
    expect(request.searchIgnored).toBe(false);
  });

  test.each([
    ['gopher://h/0/a?q', null, '/a?q', false],
    ['gopher://h/1/cgi?page=2', 'terms', '/cgi?page=2', true],
    ['gopher://h/1/f%09', null, '/f', true],
    ['gopher://h/0/f%09q?z', null, '/f', true],
    ['gopher://h/0/f', '', '/f', true],
    ['gopher://h/?x', null, '?x', false],
    ['gopher://h?x', null, '?x', false],
    ['gopher://h/%09x', null, '', true],
  ])('%s with %j on another type asks for %j, terms ignored: %s', (url, answer, selectorText, searchIgnored) => {
    expect(parsed(url, answer)).toMatchObject({ selectorText, search: null, searchIgnored });
  });

  test('no search, an empty one and another one are three resources', () => {
    const keys = ['gopher://h/7/f', 'gopher://h/7/f?', 'gopher://h/7/f?x'].map((url) => parsed(url).key);
    expect(keys).toEqual(['gopher://h/7/f', 'gopher://h/7/f?', 'gopher://h/7/f?x']);
  });
});

describe('canonical key', () => {
  test.each([
    ['GOPHER://EXAMPLE.org:70/0/x', 'gopher://example.org/0/x'],
    ['gopher://example.org.:0070/%30/%78#f', 'gopher://example.org/0/x'],
    ['gopher://user:pw@example.org:/0/x', 'gopher://example.org/0/x'],
    ['gopher://[0:0:0:0:0:0:0:1]:7070/', 'gopher://[::1]:7070/1'],
    ['gopher://bücher.example/0ü', 'gopher://xn--bcher-kva.example/0%C3%BC'],
    ['gopher://h/1/a?b', 'gopher://h/1/a%3Fb'],
    ['gopher://h/;x', 'gopher://h/%3Bx'],
    ['gopher://h/é', 'gopher://h/%C3%A9'],
    ['gopher://h/7/f%09a/b', 'gopher://h/7/f?a%2Fb'],
    ['gopher://h/1/f%09ignored', 'gopher://h/1/f'],
  ])('%s is %s', (url, key) => {
    expect(parsed(url).key).toBe(key);
    expect(parsed(key).key).toBe(key);
  });
});

describe('echo', () => {
  test.each([
    ['GOPHER://EXAMPLE.org:70/0/%78#f', null, 'gopher://EXAMPLE.org:70/0/%78#f'],
    ['gopher://user:p@w@h/0/x', null, 'gopher://h/0/x'],
    ['gopher://h/7/f?old#frag', 'a/b', 'gopher://h/7/f?a%2Fb'],
    ['gopher://h/7/f%09old', '', 'gopher://h/7/f?'],
    ['gopher://h/1/dir', 'terms', 'gopher://h/1/dir'],
  ])('%s with %j is echoed as %s', (url, answer, echo) => {
    expect(parsed(url, answer).url).toBe(echo);
  });
});

describe('refusals', () => {
  test.each([
    ['', /gopher:\/\//],
    ['gopher:/x', /gopher:\/\//],
    [' gopher://h/', /gopher:\/\//],
    ['gemini://h/', /gemini_fetch/],
    ['http://h/', /web/],
    ['HTTPS://h/', /web/],
    ['mailto:x@y', /gopher:\/\//],
    ['gopher://', /no host/],
    ['gopher:///0/x', /no host/],
    ['gopher://h:0/', /port/],
    ['gopher://h:99999/', /port/],
    ['gopher://h:abc/', /port/],
    ['gopher://h:-1/', /port/],
    ['gopher://[::1/', /malformed/],
    ['gopher://exa mple/', /host name/],
    ['gopher://a..b/', /host name/],
    ['gopher://h/0/a\tb', /control/],
    ['gopher://h/0/a\nb', /control/],
    ['gopher://h/0/a%0d%0ab', /selector .*control/],
    ['gopher://h/0/a%00', /selector .*control/],
    ['gopher://h/7/f?a%09b', /search .*control/],
    ['gopher://h/7/f%09q%09+', /search .*control/],
    ['gopher://h/1/f%09%09+', /search .*control/],
    ['gopher://h/%00', /item type/],
    ['gopher://h/%FFx', /item type/],
    ['gopher://h/%C3x', /item type/],
    ['gopher://h/%E2%80%AEx', /item type/],
    [`gopher://h/0${'a'.repeat(1025)}`, /1025 .*1024 \(GOPHER_MAX_SELECTOR_LENGTH\)/],
    [`gopher://h/7?${'😀'.repeat(257)}`, /257 .*256 \(GOPHER_MAX_SEARCH_LENGTH\)/],
    [`gopher://h/${'a'.repeat(8182)}`, /8192 bytes/],
  ])('%j', (url, words) => {
    expect(refusal(url)).toMatch(words);
  });

  test('terms of the call are held to the same rules', () => {
    expect(refusal('gopher://h/7/f', 'x\r\nEHLO')).toMatch(/control/);
    expect(refusal('gopher://h/7/f', 's'.repeat(257))).toMatch(/257/);
  });

  test('bounds count code points', () => {
    expect(parsed(`gopher://h/0${'😀'.repeat(1024)}`).selector.length).toBe(4096);
    expect(parsed('gopher://h/7', '😀'.repeat(256)).search?.length).toBe(1024);
  });
});
