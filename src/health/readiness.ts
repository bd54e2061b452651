import { Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { Log } from '../logging/index.js';
import { AuditIndicator } from './audit.indicator.js';
import { DrainState } from './drain-state.js';
import { EventLoopIndicator } from './event-loop.indicator.js';
import { RedisIndicator } from './redis.indicator.js';
import { ServingIndicator } from './serving.indicator.js';
import { StoresIndicator } from './stores.indicator.js';

/** Whether calls should be sent here, and whether the start is over. A change is logged once. */
@Injectable()
export class Readiness {
  #isReady = true;
  #hasStarted = false;

  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(StoresIndicator) private readonly stores: StoresIndicator,
    @Inject(EventLoopIndicator) private readonly eventLoop: EventLoopIndicator,
    @Inject(RedisIndicator) private readonly redis: RedisIndicator,
    @Inject(ServingIndicator) private readonly serving: ServingIndicator,
    @Inject(AuditIndicator) private readonly audit: AuditIndicator,
    @Inject(DrainState) private readonly drain: DrainState,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** @throws ServiceUnavailableException (503) with the report, while one of the checks fails */
  async check(): Promise<HealthCheckResult> {
    this.drain.watched();
    try {
      const report = await this.health.check([
        () => this.serving.check(),
        () => this.eventLoop.check(),
        () => this.stores.check(),
        () => this.redis.check(),
        () => this.audit.check(),
      ]);
      if (!this.#isReady) this.log.info('ready again');
      this.#isReady = true;
      return report;
    } catch (thrown) {
      // What a drain does to readiness is no news.
      if (this.#isReady && !this.drain.isDraining) this.log.warning('not ready', { failing: failing(thrown) });
      this.#isReady = false;
      throw thrown;
    }
  }

  /**
   * Whether the stores were fit for use once; what becomes of them later is a matter of {@link check}.
   *
   * @throws ServiceUnavailableException (503) with the report, until then
   */
  async checkStart(): Promise<HealthCheckResult> {
    const report = await this.health.check(this.#hasStarted ? [] : [() => this.stores.check()]);
    this.#hasStarted = true;
    return report;
  }
}

function failing(thrown: unknown): string[] {
  const report: unknown = thrown instanceof ServiceUnavailableException ? thrown.getResponse() : undefined;
  if (typeof report !== 'object' || report === null || !('error' in report)) return [];
  return typeof report.error === 'object' && report.error !== null ? Object.keys(report.error) : [];
}
