import { describe, expect, test } from '@jest/globals';
import { percentDecodeToBytes, percentEncode } from '../../../../src/common/text/percent.js';

describe('percentDecodeToBytes', () => {
  test.each([
    ['plain', Buffer.from('plain')],
    ['a%20b', Buffer.from('a b')],
    ['%c3%A9', Buffer.from('é')],
    ['é%C3%A9', Buffer.from('éé')],
    ['%FF%00', Buffer.from([0xff, 0x00])],
    ['a+b', Buffer.from('a+b')],
    ['100%', Buffer.from('100%')],
    ['%4', Buffer.from('%4')],
    ['%zz%4g%', Buffer.from('%zz%4g%')],
    ['%%41', Buffer.from('%A')],
    ['%2541', Buffer.from('%41')],
    ['', Buffer.alloc(0)],
  ])('%j', (text, expected) => {
    expect(percentDecodeToBytes(text)).toEqual(expected);
  });
});

describe('percentEncode', () => {
  const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

  test.each([
    ['kept bytes stay', 'abc', 'abc'],
    ['others become upper-case escapes', 'a b/é', 'a%20b%2F%C3%A9'],
    ['the percent sign is an ordinary byte', '%41', '%25%34%31'],
  ])('%s', (_, text, expected) => {
    expect(percentEncode(Buffer.from(text), isLetter)).toBe(expected);
  });

  test('bytes beyond ASCII are escaped whatever the caller says', () => {
    expect(percentEncode(Buffer.from([0x41, 0xe9]), () => true)).toBe('A%E9');
  });
});
