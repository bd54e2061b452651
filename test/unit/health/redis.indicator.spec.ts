import { describe, expect, test } from '@jest/globals';
import { HealthIndicatorService } from '@nestjs/terminus';
import { err } from '../../../src/common/result.js';
import { WatchedStores } from '../../../src/common/watched-stores.js';
import { RedisIndicator } from '../../../src/health/redis.indicator.js';
import { StoresIndicator } from '../../../src/health/stores.indicator.js';
import type { Redis, RedisTrouble } from '../../../src/state/index.js';
import { FakeClock } from '../../support/fake-clock.js';

const indicators = new HealthIndicatorService();

describe('Redis', () => {
  const check = (trouble: RedisTrouble | null): unknown =>
    new RedisIndicator({ vitals: { trouble } } as Redis, indicators).check();

  test('is up, and degraded while it is in trouble, but never down', () => {
    expect(check(null)).toEqual({ redis: { status: 'up' } });
    expect(check('late')).toEqual({ redis: { status: 'up', state: 'degraded', trouble: 'late' } });
  });

  test.each([null, undefined])('is not told of where it is %s', (redis) => {
    expect(new RedisIndicator(redis, indicators).check()).toEqual({});
  });
});

test('a store that all replicas share is degraded where one of this replica would be down', async () => {
  const damaged = { readAll: () => Promise.resolve(err('gone')), isWritable: () => Promise.resolve(false) };
  const watched = new WatchedStores();
  watched.add('pins', damaged, { isShared: true });
  watched.add('identities', damaged);
  expect(await new StoresIndicator(watched, new FakeClock(), indicators).check()).toEqual({
    pins: { status: 'up', state: 'degraded' },
    identities: { status: 'down', message: 'cannot be read or written' },
  });
});
