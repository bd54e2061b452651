import { Inject, Injectable, Optional } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Redis } from '../state/index.js';

/** How Redis does, where there is one. It is never `down`: without it this server goes on alone, and so would any other replica. */
@Injectable()
export class RedisIndicator {
  constructor(
    @Optional() @Inject(Redis) private readonly redis: Redis | null | undefined,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  /** `redis`, with `state: degraded` and the trouble while it does not answer as it should. Nothing without Redis. */
  check(): HealthIndicatorResult {
    if (!this.redis) return {};
    const { trouble } = this.redis.vitals;
    const indicator = this.indicators.check('redis');
    return trouble === null ? indicator.up() : indicator.up({ state: 'degraded', trouble });
  }
}
