import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonStringBytes, jsonStringFit } from '../../src/common/json.js';

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom('a', '"', '\\', '\n', '\0', 'é', '☃', '😀', '\ud83d', '\ude00')),
});

describe('size of a JSON string', () => {
  test('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(anyText, (text) => expect(jsonStringBytes(text)).toBe(Buffer.byteLength(JSON.stringify(text)))),
    );
  });

  test('a run that fits fits, and one more code point would not', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, maxBytes) => {
        const end = jsonStringFit(text, 0, text.length, maxBytes);
        expect(jsonStringBytes(text.slice(0, end)) - 2).toBeLessThanOrEqual(maxBytes);
        if (end === text.length) return;
        const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
        expect(jsonStringBytes(text.slice(0, end) + next) - 2).toBeGreaterThan(maxBytes);
      }),
    );
  });
});
