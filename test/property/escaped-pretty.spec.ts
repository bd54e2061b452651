import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapedPretty } from '../../src/common/escaped-pretty.js';

/** What the walk over bytes has to equal: three passes of the runtime's own JSON. */
function expected(value: unknown): string {
  return JSON.stringify(JSON.stringify(value, null, 2)).slice(1, -1);
}

describe('escapedPretty', () => {
  test('equals what JSON.stringify makes of any JSON document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(escapedPretty(Buffer.from(JSON.stringify(value))).toString()).toBe(expected(value));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps strings of quotes, backslashes and astral characters, of any length around the copying threshold', () => {
    for (let length = 0; length < 120; length++) {
      for (const unit of ['"', '\\', '\n', 'é', '😀', 'a', 'a"', '\\"']) {
        const value = { key: unit.repeat(length), list: [unit] };
        expect(escapedPretty(Buffer.from(JSON.stringify(value))).toString()).toBe(expected(value));
      }
    }
  });

  test('grows its buffer for input that expands most: deep nesting and many empty strings', () => {
    const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => [inner, ''], '');
    for (const value of [deep, Array.from({ length: 5000 }, () => ''), Array.from({ length: 5000 }, () => ({}))]) {
      expect(escapedPretty(Buffer.from(JSON.stringify(value))).toString()).toBe(expected(value));
    }
  });
});
