import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withLineFeeds } from '../../../../src/common/text/line-ends.js';

describe('line ends', () => {
  test.each([
    ['', ''],
    ['a\nb', 'a\nb'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['a\rb\r', 'a\nb\n'],
    ['\r\r\n\n\r', '\n\n\n\n'],
    ['\r', '\n'],
  ])('%j become LF', (text, folded) => {
    expect(withLineFeeds(text)).toBe(folded);
  });

  test('of long texts become what those of their parts become, in Latin-1 and beyond', () => {
    const part = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', 'é', '葛', '👩', '\ud800'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(part, (parts) => {
        // The unit in front keeps line ends of two copies apart.
        const unit = `x${parts.join('')}`;
        const copies = Math.ceil(((1 << 18) + 1) / unit.length);
        expect(withLineFeeds(unit.repeat(copies)) === withLineFeeds(unit).repeat(copies)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
