import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LruTtlCache } from '../../src/common/lru-ttl-cache.js';
import { FakeClock } from '../support/fake-clock.js';

type Step =
  | { readonly do: 'set'; readonly key: string; readonly bytes: number; readonly ttlMs: number }
  | { readonly do: 'get' | 'delete'; readonly key: string }
  | { readonly do: 'wait'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, bytes: fc.nat(60), ttlMs: fc.integer({ min: -5, max: 50 }) }),
  fc.record({ do: fc.constantFrom('get' as const, 'delete' as const), key }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(30) }),
);

test('both bounds hold after every step, and nothing is served that a plain model would not serve', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new FakeClock();
      const cache = new LruTtlCache<number>({ maxEntries: 3, maxBytes: 100, clock });
      const stored = new Map<string, { value: number; expiresAtMs: number }>();
      steps.forEach((one, value) => {
        if (one.do === 'set') {
          cache.set(one.key, value, one.bytes, one.ttlMs);
          stored.set(one.key, { value, expiresAtMs: clock.monotonicMs() + one.ttlMs });
        } else if (one.do === 'delete') {
          cache.delete(one.key);
          stored.delete(one.key);
        } else if (one.do === 'wait') clock.advance(one.ms);
        else {
          const served = cache.get(one.key);
          if (served !== undefined) {
            expect(served).toBe(stored.get(one.key)?.value);
            expect(stored.get(one.key)?.expiresAtMs).toBeGreaterThanOrEqual(clock.monotonicMs());
          }
        }
        expect(cache.size).toBeLessThanOrEqual(3);
        expect(cache.bytes).toBeLessThanOrEqual(100);
        if (cache.size === 0) expect(cache.bytes).toBe(0);
      });
    }),
  );
});
