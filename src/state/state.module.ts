import { Global, Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { RedisConfig } from '../config/index.js';
import { Log } from '../logging/index.js';
import { Redis } from './redis.port.js';

/** Whoever asks for {@link Redis} gets it, or null where none is configured; only then its code is loaded. */
@Global()
@Module({
  providers: [
    {
      provide: Redis,
      inject: [RedisConfig, Clock, Log],
      useFactory: async ({ redisUrl, redisPrefix }: RedisConfig, clock: Clock, log: Log): Promise<Redis | null> => {
        if (redisUrl === null) return null;
        const { RedisConnection } = await import('./io/redis-connection.js');
        return RedisConnection.open({
          url: redisUrl,
          prefix: redisPrefix,
          clock,
          onChange: (trouble, detail) => {
            if (trouble === null) log.info('redis answers');
            else log.warning('redis in trouble', { trouble, detail });
          },
        });
      },
    },
  ],
  exports: [Redis],
})
export class StateModule implements OnModuleDestroy {
  constructor(@Inject(Redis) private readonly redis: Redis | null) {}

  onModuleDestroy(): void {
    this.redis?.close();
  }
}
