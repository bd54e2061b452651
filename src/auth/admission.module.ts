import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import type { Failure } from '../common/error-codes.js';
import { DEFAULT_MAX_IN_FLIGHT, DEFAULT_MAX_QUEUED, GatewayConfig, LimitsConfig } from '../config/index.js';
import { Redis } from '../state/index.js';
import { CallAdmission } from './call-admission.js';
import { limitsOf } from './call-limits.js';
import { CallSlots } from './call-slots.js';
import type { QuotaCounter } from './quota-counter.port.js';
import { Quota } from './quota.js';
import { redisLimiterClient } from './redis-limiter-client.js';

/** Global: offers {@link CallAdmission}, which stands in front of every call. */
@Global()
@Module({})
export class AdmissionModule {
  /** @param onRefused is told of every call that is not let in */
  static register(onRefused: (failure: Failure) => void): DynamicModule {
    return {
      module: AdmissionModule,
      providers: [
        {
          provide: CallAdmission,
          inject: [LimitsConfig, GatewayConfig, Clock, Redis],
          useFactory: (limits: LimitsConfig, { transport }: GatewayConfig, clock: Clock, redis: Redis | null) => {
            const deployment = {
              tenant: { requestsPerMinute: limits.quotaTenantPerMinute, concurrent: limits.quotaTenantConcurrent },
              subject: { requestsPerMinute: limits.quotaSubjectPerMinute, concurrent: limits.quotaSubjectConcurrent },
            };
            return new CallAdmission({
              slots: slotsOf(limits, transport === 'stdio' ? null : DEFAULT_MAX_IN_FLIGHT, clock),
              limitsOf: limitsOf(deployment),
              quota: new Quota(() => openCounter(redis)),
              onRefused,
            });
          },
        },
      ],
      exports: [CallAdmission],
    };
  }
}

function slotsOf(
  { maxInFlight, maxQueued }: LimitsConfig,
  defaultInFlight: number | null,
  clock: Clock,
): CallSlots | undefined {
  const places = maxInFlight ?? defaultInFlight;
  if (places === null) return undefined;
  return new CallSlots({ maxInFlight: places, maxQueued: maxQueued ?? DEFAULT_MAX_QUEUED }, clock);
}

/** The library that counts is loaded where something is counted. */
async function openCounter(redis: Redis | null): Promise<QuotaCounter> {
  const { memoryCounter, redisCounter } = await import('./io/limiter-counters.js');
  return redis === null ? memoryCounter() : redisCounter(redisLimiterClient(redis));
}
