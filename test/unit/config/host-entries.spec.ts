import { describe, expect, test } from '@jest/globals';
import { parseAllowedHost, parseHostHeader } from '../../../src/config/host-entries.js';

describe('entries of ALLOWED_HOSTS', () => {
  test.each([
    ['example.org', 'example.org'],
    [' Example.ORG. ', 'example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['.Example.org', '.example.org'],
  ])('%j becomes %j and stays that', (entry, host) => {
    expect(parseAllowedHost(entry)).toEqual({ ok: true, value: host });
    expect(parseAllowedHost(host)).toEqual({ ok: true, value: host });
  });

  test.each([
    ['gopher://example.org', 'scheme'],
    ['https://example.org/x', 'scheme'],
    ['example.org/', 'path'],
    ['*.example.org', 'write .example.org'],
    ['me@example.org', '@'],
    ['example.org:70', 'port'],
    ['.127.0.0.1', 'no such name'],
    ['.', 'no such name'],
    ['a b', 'no such name'],
    ['a..b', 'no such name'],
    [`${'a'.repeat(64)}.org`, 'no such name'],
    ['xn--\u00e4', 'no such name'],
  ])('%j is refused with a hint about it: %s', (entry, hint) => {
    const result = parseAllowedHost(entry);
    expect(result).toEqual({ ok: false, error: expect.stringContaining(hint) });
  });
});

describe('names for the Host header', () => {
  test.each([
    ['example.org', 'example.org'],
    ['Example.org:8443', 'example.org:8443'],
    ['127.0.0.1:80', '127.0.0.1:80'],
    ['[::1]', '[::1]'],
    ['::1', '[::1]'],
    ['[0:0::1]:8000', '[::1]:8000'],
  ])('%j becomes %j and stays that', (entry, name) => {
    expect(parseHostHeader(entry)).toEqual({ ok: true, value: name });
    expect(parseHostHeader(name)).toEqual({ ok: true, value: name });
  });

  test.each([
    ['http://example.org', 'scheme'],
    ['example.org/mcp', 'path'],
    ['*', 'wildcards'],
    ['me@example.org', '@'],
    ['example.org:0', 'port'],
    ['example.org:65536', 'port'],
    ['example.org:http', 'port'],
  ])('%j is refused with a hint about it: %s', (entry, hint) => {
    expect(parseHostHeader(entry)).toEqual({ ok: false, error: expect.stringContaining(hint) });
  });
});
