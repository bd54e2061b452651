import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { EventLoopDelay } from './event-loop-delay.js';

/** Mean delay from which on calls had better go elsewhere, in milliseconds. */
export const LATE_FROM_MS = 1000;

/** Whether the process keeps up with its work. */
@Injectable()
export class EventLoopIndicator {
  constructor(
    @Inject(EventLoopDelay) private readonly delay: EventLoopDelay,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  /** `event_loop`, with the mean delay. */
  check(): HealthIndicatorResult {
    const indicator = this.indicators.check('event_loop');
    const state = { delay_ms: Math.round(this.delay.meanMs) };
    return this.delay.meanMs >= LATE_FROM_MS ? indicator.down(state) : indicator.up(state);
  }
}
