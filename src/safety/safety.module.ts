import { Module } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { Redis } from '../state/index.js';
import { DnsResolver } from './dns-resolver.port.js';
import { NodeDnsResolver } from './io/node-dns-resolver.js';
import { SharedPoliteness } from './shared-politeness.port.js';

/**
 * What all protocols share: the one pool of DNS look-ups, and the stores of replicas. Guards with settings or state of their own are
 * built for each.
 */
@Module({
  providers: [
    { provide: DnsResolver, useFactory: (): DnsResolver => new NodeDnsResolver() },
    {
      provide: SharedPoliteness,
      inject: [{ token: Redis, optional: true }, Clock],
      useFactory: async (redis: Redis | null | undefined, clock: Clock): Promise<SharedPoliteness | null> => {
        if (!redis) return null;
        const { redisPoliteness } = await import('./redis-politeness.js');
        return redisPoliteness(redis, clock);
      },
    },
  ],
  exports: [DnsResolver, SharedPoliteness],
})
export class SafetyModule {}
