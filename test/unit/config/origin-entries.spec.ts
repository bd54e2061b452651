import { describe, expect, test } from '@jest/globals';
import { parseOrigin } from '../../../src/config/origin-entries.js';
import { ok } from '../../../src/common/result.js';

describe('an allowed origin', () => {
  test.each([
    ['https://app.example', 'https://app.example'],
    ['HTTPS://App.Example:443', 'https://app.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:80', 'http://[::1]'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['app://Notes.MD', 'app://notes.md'],
    ['chrome-extension://abcdefgh', 'chrome-extension://abcdefgh'],
  ])('%s is %s, and stays that', (text, origin) => {
    expect(parseOrigin(text)).toEqual(ok(origin));
    expect(parseOrigin(origin)).toEqual(ok(origin));
  });

  test.each([
    '*',
    'null',
    'app.example',
    'https://',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example?x',
    'https://user@app.example',
    'https://*.example',
    'https://app.example:99999',
    'https://app example',
  ])('%s is none', (text) => {
    expect(parseOrigin(text)).toMatchObject({ ok: false, error: expect.stringContaining(text) });
  });
});
