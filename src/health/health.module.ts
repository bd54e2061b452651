import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { RecordKeeping } from '../common/call-observer.port.js';
import { AuditIndicator, AuditState } from './audit.indicator.js';
import { DrainState } from './drain-state.js';
import { EventLoopDelay } from './event-loop-delay.js';
import { EventLoopIndicator } from './event-loop.indicator.js';
import { HealthController, PackageVersion } from './health.controller.js';
import { Readiness } from './readiness.js';
import { RedisIndicator } from './redis.indicator.js';
import { ServingIndicator } from './serving.indicator.js';
import { StoresIndicator } from './stores.indicator.js';

/** `/health` and what is below it. */
@Module({})
export class HealthModule {
  /** @param audit whose state is told, where there is one */
  static register(version: string, audit?: RecordKeeping): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        { provide: PackageVersion, useValue: version },
        { provide: AuditState, useValue: audit ?? null },
        AuditIndicator,
        DrainState,
        EventLoopDelay,
        StoresIndicator,
        RedisIndicator,
        EventLoopIndicator,
        ServingIndicator,
        Readiness,
      ],
    };
  }
}
