import { describe, expect, test } from '@jest/globals';
import { encodeRequest } from '../../../../src/gopher/core/request.js';
import { parseGopherUrl } from '../../../../src/gopher/core/url.js';

function lineOf(url: string): string {
  const parsed = parseGopherUrl(url, null, { maxSelectorLength: 1024, maxSearchLength: 256 });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return encodeRequest(parsed.value).toString('latin1');
}

describe('request line', () => {
  test.each([
    ['gopher://h', '\r\n'],
    ['gopher://h/0/x', '/x\r\n'],
    ['gopher://h/1/caf%E9', '/caf\xe9\r\n'],
    ['gopher://h/7/f?one%20two', '/f\tone two\r\n'],
    ['gopher://h/7/f?', '/f\t\r\n'],
    ['gopher://h/7/f', '/f\r\n'],
    ['gopher://h/1/f%09ignored', '/f\r\n'],
  ])('%s asks with %j', (url, line) => {
    expect(lineOf(url)).toBe(line);
  });
});
