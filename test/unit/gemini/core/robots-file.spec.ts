import { describe, expect, test } from '@jest/globals';
import type { GeminiResponse } from '../../../../src/gemini/core/response-reader.js';
import { readRobots, type RobotsReading } from '../../../../src/gemini/core/robots-file.js';
import { parseGeminiUrl } from '../../../../src/gemini/core/url.js';

function reading(
  status: number,
  meta: string,
  body = '',
  incomplete: GeminiResponse['incomplete'] = null,
): RobotsReading {
  const request = parseGeminiUrl('gemini://h/robots.txt');
  if (!request.ok) throw new Error(request.error.message);
  return readRobots(request.value, { header: { status, meta }, body: Buffer.from(body, 'latin1'), incomplete });
}

describe('a success', () => {
  test.each(['text/plain', 'text/gemini', 'text/html', 'application/json', '', 'nonsense'])(
    'as %j is a policy',
    (meta) => {
      expect(reading(20, meta, 'User-agent: *\r\nDisallow: /')).toMatchObject({
        kind: 'policy',
        text: expect.stringMatching(/^User-agent: \*\r?\nDisallow: \/$/),
      });
    },
  );

  test('a byte order mark does not hide the first line', () => {
    expect(reading(20, 'text/gemini', '\xef\xbb\xbfUser-agent: *')).toEqual({ kind: 'policy', text: 'User-agent: *' });
  });

  test.each(['image/png', 'application/pdf'])('as %s is none', (meta) => {
    expect(reading(20, meta, 'User-agent: *\nDisallow: /')).toEqual({ kind: 'absent' });
  });

  test('cut by the size limit it loses its last line, for half a rule is another rule', () => {
    expect(reading(20, 'text/plain', 'Disallow: /a\nDisallow: /b', 'size_cap')).toMatchObject({
      text: 'Disallow: /a\n',
    });
    expect(reading(20, 'text/plain', 'Disallow: /a', 'size_cap')).toMatchObject({ text: '' });
  });

  test('without a close_notify it counts as it is', () => {
    expect(reading(20, 'text/plain', 'Disallow: /a', 'no_close_notify')).toMatchObject({ text: 'Disallow: /a' });
  });

  test('cut by the deadline it is not known', () => {
    expect(reading(20, 'text/plain', 'Disallow: /a\n', 'timeout')).toEqual({
      kind: 'unavailable',
      cause: 'timed out',
      reason: 'timeout',
      retry: true,
    });
  });
});

describe('other answers', () => {
  test.each([
    [10, 'Name?'],
    [51, 'no'],
    [59, ''],
    [60, 'log in'],
    [30, ''],
    [31, 'gemini://other/robots.txt'],
    [31, 'gemini://h:1966/robots.txt'],
    [31, 'https://h/robots.txt'],
    [31, '/robots.txt'],
  ])('%i %s: there is none', (status, meta) => {
    expect(reading(status, meta)).toEqual({ kind: 'absent' });
  });

  test('a redirect within the host may be followed', () => {
    expect(reading(31, '/meta/robots.txt')).toMatchObject({
      kind: 'moved',
      target: { wireUrl: 'gemini://h/meta/robots.txt' },
    });
  });

  test('a failure that may pass: it is not known', () => {
    expect(reading(41, 'down')).toEqual({ kind: 'unavailable', cause: 'status 41' });
    expect(reading(44, ' 20 ')).toEqual({ kind: 'unavailable', cause: 'status 44', slowDown: ' 20 ' });
  });
});
