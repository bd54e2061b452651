import { describe, expect, test } from '@jest/globals';
import { MAX_TARGET_LENGTH, shownTarget, targetsOf } from '../../../src/mcp/call-targets.js';

describe('the target of a call', () => {
  test.each([
    ['gopher://example.org/0/a', 'gopher://example.org/0/a'],
    ['gopher://example.org/7/find?who am i', 'gopher://example.org/7/find'],
    ['gopher://example.org/7/find%09who', 'gopher://example.org/7/find'],
    ['gopher://example.org/7/find\twho', 'gopher://example.org/7/find'],
    ['gemini://example.org/a#b', 'gemini://example.org/a'],
    ['gemini://user:pass@example.org/a', 'gemini://example.org/a'],
    ['gemini://user:p@ss@example.org/', 'gemini://example.org/'],
    ['gemini://user:p/ss@example.org/a?q', 'gemini://example.org/a'],
    ['gemini://user:p?ss@example.org/a', 'gemini://example.org/a'],
    ['gemini://example.org/~a@b', 'gemini://example.org/~a@b'],
    ['user:pass@example.org', 'example.org'],
    ['example.org', 'example.org'],
    ['', ''],
    ['?secret', ''],
  ])('%j is shown as %j', (url, shown) => {
    expect(shownTarget(url)).toBe(shown);
  });

  test('has a bound, and a password of any length is left out', () => {
    expect(shownTarget(`gemini://u:${'x'.repeat(100_000)}@example.org/a`)).toBe('gemini://example.org/a');
    expect(shownTarget(`gemini://example.org/${'x'.repeat(100_000)}`)).toHaveLength(MAX_TARGET_LENGTH);
    expect(shownTarget('x'.repeat(100_000))).toHaveLength(MAX_TARGET_LENGTH);
  });

  test.each([
    [{ url: 'gopher://a/' }, ['gopher://a/'], 1],
    [{ url: 'gopher://a/', search: 'x', host: 'b' }, ['gopher://a/'], 1],
    [{ urls: ['gopher://a/?x', 7, 'gopher://b/'] }, ['gopher://a/', 'gopher://b/'], 2],
    [{ host: 'a', port: 1965 }, ['a'], 1],
    [{ host: null }, [], 0],
    [{}, [], 0],
  ])('of %j is %j', (args, targets, targetCount) => {
    expect(targetsOf(args)).toEqual({ targets, targetCount });
  });

  test('of a long batch is its beginning, and its length', () => {
    const urls = Array.from({ length: 50 }, (_, index) => `gopher://example.org/${index}`);
    expect(targetsOf({ urls })).toEqual({ targets: urls.slice(0, 10), targetCount: 50 });
  });
});
