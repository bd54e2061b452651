import { describe, expect, test } from '@jest/globals';
import { loneErrorLine } from '../../../../src/gopher/core/error-line.js';

describe('lone error line', () => {
  test.each([
    ['3No such file here\t\terror.host\t1\r\n.\r\n', 'No such file here'],
    ["3'/x' does not exist\t\terror.host\t1\r\n", "'/x' does not exist"],
    ['3Sorry, not found.\tErr\tlocalhost\t70\r\n.\r\n\r\n', 'Sorry, not found.'],
    ['3 Error\tfake\t(NULL)\t0', 'Error'],
    ['3Gone\t\t\t', 'Gone'],
  ])('%j says %j', (text, words) => {
    expect(loneErrorLine(text)).toBe(words);
  });

  test.each([
    ['a file of several lines', '3rd quarter\tresults\tQ3\t2024\nRevenue\t10\n'],
    ['a table of one line', '3rd quarter\tresults\tQ3\t2024\n'],
    ['prose', '3 things I know\n'],
    ['prose with a dot', '3 things I know\n.\n'],
    ['no words', '3\t\terror.host\t1\r\n.\r\n'],
    ['no port', '3Words\t\terror.host\tport\r\n.\r\n'],
    ['another type', '0About\t/about\texample.org\t70\r\n.\r\n'],
    ['a menu that begins with an error', '3Bad\t\terror.host\t1\r\n1Home\t/\th\t70\r\n.\r\n'],
    ['nothing', ''],
    ['a long line', `3${'x'.repeat(5000)}\t\terror.host\t1\r\n.\r\n`],
  ])('%s is a file', (_, text) => {
    expect(loneErrorLine(text)).toBeNull();
  });
});
