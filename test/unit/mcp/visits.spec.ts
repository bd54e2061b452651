import { describe, expect, test } from '@jest/globals';
import { MAX_VISIT_CHARS, MAX_VISITS, Visits, withoutQuery } from '../../../src/mcp/visits.js';

const visited = (...urls: string[]): string[] => {
  const visits = new Visits();
  for (const url of urls) visits.add(url);
  return visits.newestFirst();
};

describe('what was visited', () => {
  test('comes newest first, each page once', () => {
    expect(visited('gemini://a/', 'gemini://b/', 'gemini://a/', 'gemini://c/')).toEqual([
      'gemini://c/',
      'gemini://a/',
      'gemini://b/',
    ]);
  });

  test.each([
    ['a Gemini query', 'gemini://a/search?secret', 'gemini://a/search'],
    ['a Gopher search', 'gopher://a/7/find%09secret', 'gopher://a/7/find'],
    ['a Gopher search behind a question mark', 'gopher://a/7/find?secret', 'gopher://a/7/find'],
    ['a fragment', 'gemini://a/x#secret', 'gemini://a/x'],
  ])('never holds %s', (_name, url, page) => {
    expect(visited(url)).toEqual([page]);
    expect(withoutQuery(url)).toBe(page);
  });

  test('an escaped question mark belongs to the path', () => {
    expect(visited('gemini://a/what%3F')).toEqual(['gemini://a/what%3F']);
  });

  test('holds a bounded number of pages', () => {
    const urls = Array.from({ length: MAX_VISITS + 3 }, (_, i) => `gemini://a/${i}`);
    const kept = visited(...urls);
    expect(kept).toHaveLength(MAX_VISITS);
    expect([kept[0], kept.at(-1)]).toEqual([urls.at(-1), 'gemini://a/3']);
  });

  test('holds a bounded number of characters', () => {
    const long = (name: string, length: number): string => `gemini://${name}/`.padEnd(length, 'x');
    const half = MAX_VISIT_CHARS / 2;
    expect(visited(long('a', half), long('b', half), long('c', half))).toEqual([long('c', half), long('b', half)]);
    expect(visited(long('a', 100), long('b', MAX_VISIT_CHARS + 1))).toEqual([long('a', 100)]);
    expect(visited(long('a', 100), long('b', MAX_VISIT_CHARS))).toEqual([long('b', MAX_VISIT_CHARS)]);
  });

  test('a page that is visited again takes no room twice', () => {
    const half = MAX_VISIT_CHARS / 2;
    const [a, b] = ['a'.repeat(half), 'b'.repeat(half)];
    expect(visited(a, b, a, b, a)).toEqual([a, b]);
  });
});
