import { describe, expect, test } from '@jest/globals';
import { LruTtlCache } from '../../../src/common/lru-ttl-cache.js';
import { FakeClock } from '../../support/fake-clock.js';

const LONG_MS = 1_000_000;

function cacheOf(maxEntries: number, maxBytes: number): { cache: LruTtlCache<string>; clock: FakeClock } {
  const clock = new FakeClock();
  return { cache: new LruTtlCache<string>({ maxEntries, maxBytes, clock }), clock };
}

describe('the entry bound', () => {
  test('the least recently stored entry goes first', () => {
    const { cache } = cacheOf(2, 1000);
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 1, LONG_MS);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 'b', 'c']);
    expect(cache.size).toBe(2);
  });

  test('reading counts as use', () => {
    const { cache } = cacheOf(2, 1000);
    cache.set('a', 'a', 1, LONG_MS);
    cache.set('b', 'b', 1, LONG_MS);
    cache.get('a');
    cache.set('c', 'c', 1, LONG_MS);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['a', undefined, 'c']);
  });

  test('storing under the same key replaces, and counts as use', () => {
    const { cache } = cacheOf(2, 1000);
    cache.set('a', 'old', 10, LONG_MS);
    cache.set('b', 'b', 1, LONG_MS);
    cache.set('a', 'new', 20, LONG_MS);
    cache.set('c', 'c', 1, LONG_MS);
    expect([cache.get('a'), cache.get('b')]).toEqual(['new', undefined]);
    expect(cache.bytes).toBe(21);
  });

  test('a bound of zero stores nothing', () => {
    const { cache } = cacheOf(0, 1000);
    cache.set('a', 'a', 1, LONG_MS);
    expect([cache.get('a'), cache.size, cache.bytes]).toEqual([undefined, 0, 0]);
  });
});

describe('the byte bound', () => {
  test('as many old entries go as the new one needs room', () => {
    const { cache } = cacheOf(100, 100);
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 30, LONG_MS);
    cache.set('d', 'd', 70, LONG_MS);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([undefined, undefined, 'c', 'd']);
    expect(cache.bytes).toBe(100);
  });

  test('a value that fills the cache exactly is stored', () => {
    const { cache } = cacheOf(100, 100);
    cache.set('a', 'a', 100, LONG_MS);
    expect(cache.get('a')).toBe('a');
  });

  test('a value larger than the cache evicts nothing but its own predecessor', () => {
    const { cache } = cacheOf(100, 100);
    cache.set('a', 'a', 50, LONG_MS);
    cache.set('b', 'b', 50, LONG_MS);
    cache.set('b', 'huge', 101, LONG_MS);
    expect([cache.get('a'), cache.get('b')]).toEqual(['a', undefined]);
    expect(cache.bytes).toBe(50);
  });
});

describe('the lifetime', () => {
  test('an entry is served up to its last millisecond and not after', () => {
    const { cache, clock } = cacheOf(10, 100);
    cache.set('a', 'a', 1, 1000);
    clock.advance(1000);
    expect(cache.get('a')).toBe('a');
    clock.advance(1);
    expect(cache.get('a')).toBeUndefined();
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
  });

  test('reading does not prolong it', () => {
    const { cache, clock } = cacheOf(10, 100);
    cache.set('a', 'a', 1, 1000);
    clock.advance(600);
    cache.get('a');
    clock.advance(600);
    expect(cache.get('a')).toBeUndefined();
  });

  test.each([0, -1])('a lifetime of %d stores nothing and forgets the predecessor', (ttlMs) => {
    const { cache } = cacheOf(10, 100);
    cache.set('a', 'old', 1, LONG_MS);
    cache.set('a', 'new', 1, ttlMs);
    expect(cache.get('a')).toBeUndefined();
  });
});

test('delete says whether there was something, and frees its bytes', () => {
  const { cache } = cacheOf(10, 100);
  cache.set('a', 'a', 40, LONG_MS);
  expect([cache.delete('a'), cache.delete('a'), cache.bytes]).toEqual([true, false, 0]);
});

test('clear forgets everything', () => {
  const { cache } = cacheOf(10, 100);
  cache.set('a', 'a', 40, LONG_MS);
  cache.set('b', 'b', 40, LONG_MS);
  cache.clear();
  expect([cache.get('a'), cache.get('b'), cache.size, cache.bytes]).toEqual([undefined, undefined, 0, 0]);
});
