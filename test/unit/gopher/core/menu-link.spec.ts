import { describe, expect, test } from '@jest/globals';
import { MenuLinks } from '../../../../src/gopher/core/menu-link.js';

function link(type: string, selector: string, host = 'example.org', port = 70, charset = 'utf-8'): string {
  return new MenuLinks({ charset }).linkOf({ type, rawSelector: selector, selector, host, port });
}

describe('link of a menu item', () => {
  test.each([
    ['h', 'URL:https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ['h', '/URL:https://example.org/', 'https://example.org/'],
    ['0', 'URL:gemini://g.example/', 'gemini://g.example/'],
    ['i', 'URL:https://i.example/', 'https://i.example/'],
    ['h', 'URL:', 'gopher://example.org:70/hURL%3A'],
    ['h', 'url:https://x/', 'gopher://example.org:70/hurl%3Ahttps%3A//x/'],
    ['i', '/x', ''],
    ['3', '/x', ''],
    ['2', '', 'gopher://example.org:70/2'],
    ['+', '/mirror', 'gopher://example.org:70/+/mirror'],
    ['?', '/q', 'gopher://example.org:70/%3F/q'],
    ['/', '/q', 'gopher://example.org:70/%2F/q'],
    ['9', '/b#1?x%y z', 'gopher://example.org:70/9/b%231%3Fx%25y%20z'],
    ['0', 'é', 'gopher://example.org:70/0%C3%A9'],
  ])('%s %s', (type, selector, url) => {
    expect(link(type, selector)).toBe(url);
  });

  test.each([
    ['the old web pointer', 'h', 'GET /a b?c=%20', 80, 'http://example.org/a%20b?c=%20'],
    ['on another port', 'h', 'GET /', 8080, 'http://example.org:8080/'],
    ['a telnet session', '8', 'guest', 23, 'telnet://example.org:23'],
    ['a 3270 session', 'T', '', 2323, 'telnet://example.org:2323'],
    ['GET on another type is a selector', '0', 'GET /x', 70, 'gopher://example.org:70/0GET%20/x'],
  ])('%s', (_, type, selector, port, url) => {
    expect(link(type, selector, 'example.org', port)).toBe(url);
  });

  test.each([
    ['good.example@evil.example', ''],
    ['good.example/#', ''],
    ['good.example?x', ''],
    ['ho st', ''],
    ['(NULL)', ''],
    ['', ''],
    ['EXAMPLE.Org.', 'gopher://example.org:70/1'],
    ['bücher.example', 'gopher://xn--bcher-kva.example:70/1'],
    ['2001:db8::1', 'gopher://[2001:db8::1]:70/1'],
    ['[2001:db8:0::1]', 'gopher://[2001:db8::1]:70/1'],
  ])('host %j', (host, url) => {
    expect(link('1', '', host)).toBe(url);
  });

  test('port 0 leads nowhere', () => {
    expect(link('1', '', 'example.org', 0)).toBe('');
  });

  test('a selector is asked for in the bytes of its menu', () => {
    expect(link('0', 'é', 'h', 70, 'windows-1252')).toBe('gopher://h:70/0%E9');
    // A request is bytes of an ASCII superset.
    expect(link('0', 'é', 'h', 70, 'utf-16le')).toBe('gopher://h:70/0%C3%A9');
    const bytes = { type: '0', rawSelector: '\xc3\xa9\xff', selector: 'é\ufffd', host: 'h', port: 70 };
    expect(new MenuLinks('bytes').linkOf(bytes)).toBe('gopher://h:70/0%C3%A9%FF');
  });

  test('a selector with controls is asked for without them', () => {
    const target = { type: '0', rawSelector: '/a\x07b', selector: '/ab', host: 'h', port: 70 };
    expect(new MenuLinks({ charset: 'utf-8' }).linkOf(target)).toBe('gopher://h:70/0/ab');
  });
});
