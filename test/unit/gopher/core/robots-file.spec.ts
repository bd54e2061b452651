import { describe, expect, test } from '@jest/globals';
import { decodeRobots } from '../../../../src/gopher/core/robots-file.js';

describe('answer to a robots probe', () => {
  test.each([
    ['a policy', 'User-agent: *\r\nDisallow: /x\r\n', false, 'User-agent: *\r\nDisallow: /x\r\n'],
    ['a policy behind a byte order mark', '\ufeffUser-agent: *\n', false, 'User-agent: *\n'],
    ['an empty file', '', false, ''],
    ['a cut file loses its last line', 'User-agent: *\nDisallow: /pri', true, 'User-agent: *\n'],
    ['a cut line is nothing', 'Disallow: /pri', true, ''],
    ['a whole file keeps it', 'User-agent: *\nDisallow: /pri', false, 'User-agent: *\nDisallow: /pri'],
    ['an error line is no file', '3Not found\t\terror.host\t1\r\n.\r\n', false, null],
    ['nor is a menu', '1Home\t/\th\t70\r\n.\r\n', false, null],
  ])('%s', (_, body, cut, text) => {
    expect(decodeRobots(Buffer.from(body), cut)).toBe(text);
  });
});
