import { describe, expect, test } from '@jest/globals';
import { advanceCodePoints, countCodePoints } from '../../../../src/common/text/code-points.js';

describe('countCodePoints', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['äß€', 3],
    ['a𝒳b', 3],
    ['👨‍👩‍👧', 5],
    ['\ud835', 1],
    ['\udcb3', 1],
    ['\udcb3\ud835', 2],
    ['\ud835\ud835\udcb3', 2],
  ])('%j has %d', (text, expected) => {
    expect(countCodePoints(text)).toBe(expected);
    expect(Array.from(text).length).toBe(expected);
  });
});

describe('advanceCodePoints', () => {
  test.each([
    ['abc', 0, 2, 2],
    ['a𝒳b', 0, 2, 3],
    ['a𝒳b', 1, 1, 3],
    ['a𝒳b', 3, 1, 4],
    ['abc', 0, 99, 3],
    ['abc', 99, 1, 3],
    ['abc', 1, 0, 1],
    ['abc', 1, -5, 1],
    ['\ud835a', 0, 1, 1],
    ['\ud835', 0, 1, 1],
  ])('%j from %d by %d gives %d', (text, from, by, expected) => {
    expect(advanceCodePoints(text, from, by)).toBe(expected);
  });
});
