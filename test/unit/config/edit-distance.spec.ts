import { describe, expect, test } from '@jest/globals';
import { editDistance, nearestName } from '../../../src/config/edit-distance.js';

describe('edit distance', () => {
  test.each([
    ['', '', 0],
    ['a', '', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 2],
    ['same', 'same', 0],
  ])('%j to %j takes %d steps', (from, to, steps) => {
    expect(editDistance(from, to)).toBe(steps);
    expect(editDistance(to, from)).toBe(steps);
  });
});

describe('the nearest name', () => {
  test.each([
    ['ABCDEFGH', ['XBCDEFGH', 'ABCDEFGX'], 'XBCDEFGH'],
    ['ABCDEFGH', ['ABCDEFXX', 'ABCDEFGX'], 'ABCDEFGX'],
    // A quarter of eight is two.
    ['ABCDEFGH', ['ABCDEFXX'], 'ABCDEFXX'],
    ['ABCDEFGH', ['ABCDEXXX'], null],
    ['ABCDEFGH', ['ABCDEFGHIJK'], null],
    ['ABC', ['ABX'], null],
    ['ABCD', [], null],
  ])('of %j among %j is %j', (name, candidates, nearest) => {
    expect(nearestName(name, candidates)).toBe(nearest);
  });
});
