import { expect, test } from '@jest/globals';
import { bytesOf, listOf, numberOf, textOf } from '../../../src/state/index.js';

test('a reply is read as what it is, and as nothing else', () => {
  expect(numberOf(3)).toBe(3);
  expect(numberOf(Buffer.from('3.5'))).toBe(3.5);
  expect(numberOf(Buffer.from('x'))).toBeUndefined();
  expect(numberOf(Buffer.from(''))).toBeUndefined();
  expect(numberOf(null)).toBeUndefined();
  expect(textOf(Buffer.from('ä'))).toBe('ä');
  expect(textOf(3)).toBeUndefined();
  expect(bytesOf([3])).toBeUndefined();
  expect(listOf([3])).toEqual([3]);
  expect(listOf(null)).toBeUndefined();
});
