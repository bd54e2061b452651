import { randomUUID } from 'node:crypto';
import type { Clock } from '../common/clock.port.js';
import type { Redis } from '../state/index.js';
import { MemoryPacingStore } from './memory-pacing-store.js';
import { MemoryRobotsStore } from './memory-robots-store.js';
import { RedisPacingStore } from './redis-pacing-store.js';
import { RedisRobotsStore } from './redis-robots-store.js';
import type { SharedPoliteness } from './shared-politeness.port.js';

/** {@link SharedPoliteness} over Redis; each store falls back to one of this process. */
export function redisPoliteness(redis: Redis, clock: Clock): SharedPoliteness {
  const replica = randomUUID();
  return {
    pacing: (protocol) => new RedisPacingStore(redis, new MemoryPacingStore(clock), clock, { protocol, replica }),
    robots: (protocol, agents) =>
      new RedisRobotsStore(redis, new MemoryRobotsStore(clock), clock, { protocol, agents }),
  };
}
