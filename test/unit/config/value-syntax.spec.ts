import { describe, expect, test } from '@jest/globals';
import { parseBoolean, parseDecimal, parseInteger, parseList } from '../../../src/config/value-syntax.js';

describe('booleans', () => {
  test.each(['1', 'true', 't', 'yes', 'y', 'on', 'TRUE', 'Yes', ' on '])('%j is true', (text) => {
    expect(parseBoolean(text)).toBe(true);
  });
  test.each(['0', 'false', 'f', 'no', 'n', 'off', 'FALSE', 'No', ' off '])('%j is false', (text) => {
    expect(parseBoolean(text)).toBe(false);
  });
  test.each(['', ' ', '2', 'tru', 'enabled', 'null', '1.0'])('%j is neither', (text) => {
    expect(parseBoolean(text)).toBeNull();
  });
});

describe('integers', () => {
  test.each([
    ['300', 300],
    [' 300\t', 300],
    ['300.0', 300],
    ['300.000', 300],
    ['1_000', 1000],
    ['1_000.0', 1000],
    ['007', 7],
    ['+5', 5],
    ['-5', -5],
  ])('%j is %d', (text, value) => {
    expect(parseInteger(text)).toBe(value);
  });
  test.each(['', '1.5', '1e2', '300.', '.0', '0x10', '1__0', '_1', '1_', '1 0', '--1', 'nan', 'inf', 'five'])(
    '%j is none',
    (text) => {
      expect(parseInteger(text)).toBeNull();
    },
  );
});

describe('decimals', () => {
  test.each([
    ['30', 30],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e2', 100],
    ['1.5E-1', 0.15],
    [' 2.5 ', 2.5],
    ['1_000.5', 1000.5],
    ['-1', -1],
  ])('%j is %d', (text, value) => {
    expect(parseDecimal(text)).toBe(value);
  });
  test.each(['', '.', 'e5', '1e', 'nan', 'NaN', 'inf', 'Infinity', '1,5', '0x1'])('%j is none', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });
});

describe('lists', () => {
  test.each<[string, string[]]>([
    ['a', ['a']],
    [' a , b ,', ['a', 'b']],
    ['', []],
    [' , ,', []],
    ['["a", " b ", 70, ""]', ['a', 'b', '70']],
    [' ["a"]', ['a']],
    ['[]', []],
    // Not a JSON array of texts and numbers: a comma list, whose entries are judged as such.
    ['[::1]', ['[::1]']],
    ['[::1], a', ['[::1]', 'a']],
    ['["a"', ['["a"']],
    ['[null, "a"]', ['[null', '"a"]']],
    ['[["a"]]', ['[["a"]]']],
  ])('%j has the entries %j', (text, entries) => {
    expect(parseList(text)).toEqual(entries);
  });
});
