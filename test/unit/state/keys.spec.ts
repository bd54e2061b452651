import { describe, expect, test } from '@jest/globals';
import { sharedKey } from '../../../src/state/core/keys.js';

describe('a shared key', () => {
  test.each([
    ['example.org', '', 'p:pace:{example.org}'],
    ['example.org', '70', 'p:pace:{example.org}:70'],
    ['[::1]:1965', '', 'p:pace:{[::1]:1965}'],
  ])('of %s and %s is readable', (slot, rest, key) => {
    expect(sharedKey('p:', 'pace', slot, rest)).toBe(key);
  });

  test.each(['a}b{c', 'a b', 'ä', 'x'.repeat(129), '', 'a\0b'])('names the part %j by its digest', (part) => {
    expect(sharedKey('p:', 'pace', part, '')).toMatch(/^p:pace:\{[\w-]{43}\}$/);
    expect(sharedKey('p:', 'pace', 'h', part === '' ? 'a b' : part)).toMatch(/^p:pace:\{h\}:[\w-]{43}$/);
  });

  test('differs where its parts differ', () => {
    expect(sharedKey('p:', 'pace', 'a b', 'c')).not.toBe(sharedKey('p:', 'pace', 'a', 'b c'));
  });
});
