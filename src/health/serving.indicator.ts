import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { DrainState } from './drain-state.js';

/** Whether new calls are welcome: until the server is told to stop. */
@Injectable()
export class ServingIndicator {
  constructor(
    @Inject(DrainState) private readonly drain: DrainState,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  /** `serving`. */
  check(): HealthIndicatorResult {
    const indicator = this.indicators.check('serving');
    return this.drain.isDraining ? indicator.down('draining') : indicator.up();
  }
}
