import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DrainState } from './drain-state.js';
import { EventLoopDelay } from './event-loop-delay.js';
import { EventLoopIndicator } from './event-loop.indicator.js';
import { HealthController, PackageVersion } from './health.controller.js';
import { Readiness } from './readiness.js';
import { ServingIndicator } from './serving.indicator.js';
import { StoresIndicator } from './stores.indicator.js';

/** `/health` and what is below it. */
@Module({})
export class HealthModule {
  static register(version: string): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        { provide: PackageVersion, useValue: version },
        DrainState,
        EventLoopDelay,
        StoresIndicator,
        EventLoopIndicator,
        ServingIndicator,
        Readiness,
      ],
    };
  }
}
