import { describe, expect, test } from '@jest/globals';
import { echoRefused } from '../../../../src/gopher/core/url-parts.js';

describe('echo of a refused URL', () => {
  test.each([
    ['', ''],
    ['mailto:x@y', 'mailto:x@y'],
    [' gopher://h/0/lead', ' gopher://h/0/lead'],
    ['gopher:///0/x', 'gopher:///0/x'],
    ['gopher://[::1/', 'gopher://[::1/'],
    ['gopher://h/0/a%0d%0ab', 'gopher://h/0/a%0d%0ab'],
    ['gopher://h:0/0/x#part', 'gopher://h:0/0/x#part'],
    ['HTTP://Host/path', 'http://Host/path'],
  ])('%j stays %j', (url, echo) => {
    expect(echoRefused(url)).toBe(echo);
  });

  test.each([
    ['gopher://h/7/f?secret', 'gopher://h/7/f'],
    ['gopher://h/7/f%09secret%09+', 'gopher://h/7/f'],
    ['http://user:secret@h/?secret#secret', 'http://h/'],
    ['gopher://user:secret@h:0/', 'gopher://h:0/'],
    ['gopher://user:secret/secret@h/0/x', 'gopher://h/0/x'],
    ['gopher://user:secret?secret@h/0/x', 'gopher://h/0/x'],
    ['gopher://user:secret#secret@h/0/x', 'gopher://h/0/x'],
  ])('%j loses what is secret: %j', (url, echo) => {
    expect(echoRefused(url)).toBe(echo);
  });

  test('controls and direction marks are taken out', () => {
    expect(echoRefused('gopher://h/0/a\tb\u202ec')).toBe('gopher://h/0/abc');
  });
});
