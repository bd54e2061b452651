import { describe, expect, test } from '@jest/globals';
import { escapeControls, quote } from '../../../../src/common/text/quote.js';

describe('escaping controls', () => {
  test.each([
    ['plain text, äöü, 日本', 'plain text, äöü, 日本'],
    ['a\nb\r\tc', String.raw`a\u000ab\u000d\u0009c`],
    ['\u001b[31mred\u009b0m', String.raw`\u001b[31mred\u009b0m`],
    ['\u202eabc\u2066', String.raw`\u202eabc\u2066`],
    ['a\u2028b', String.raw`a\u2028b`],
    ['\u{e0041}', String.raw`\udb40\udc41`],
    ['\ud800', String.raw`\ud800`],
    ['\u{1f600}', '\u{1f600}'],
  ])('%j', (text, escaped) => {
    expect(escapeControls(text)).toBe(escaped);
  });
});

describe('quoting', () => {
  test.each([
    ['', '""'],
    ['a "b" \\', String.raw`"a \"b\" \\"`],
    ['a\nb', String.raw`"a\nb"`],
    ['\u202e', String.raw`"\u202e"`],
  ])('%j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  test('a quoted text can be read back as JSON', () => {
    const text = 'a\n\u001b\u202e\ud800"\\\u{e0041}';
    expect(JSON.parse(quote(text))).toBe(text);
  });
});
