import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Clock } from '../common/clock.port.js';
import { WatchedStores } from '../common/watched-stores.js';

/** Longest wait for the stores, in milliseconds: a disk that does not answer is not usable. */
export const STORES_WITHIN_MS = 2000;

/**
 * Whether every watched store can be read and, where anything changes it, written. One that all replicas share is only said to be in
 * trouble: another replica would do no better.
 */
@Injectable()
export class StoresIndicator {
  constructor(
    @Inject(WatchedStores) private readonly stores: WatchedStores,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  /** One entry for each store; one named `stores` when they do not answer in time. */
  async check(): Promise<HealthIndicatorResult> {
    const states = await this.#look();
    if (states === null) return this.indicators.check('stores').down('no answer in time');
    const results: HealthIndicatorResult = {};
    for (const { name, isUsable, isShared } of states) {
      const indicator = this.indicators.check(name);
      if (isUsable) Object.assign(results, indicator.up());
      else if (isShared) Object.assign(results, indicator.up(DEGRADED));
      else Object.assign(results, indicator.down('cannot be read or written'));
    }
    return results;
  }

  #look(): Promise<Awaited<ReturnType<WatchedStores['look']>> | null> {
    return new Promise((resolve, reject) => {
      const cancelTimer = this.clock.setTimer(STORES_WITHIN_MS, () => resolve(null));
      this.stores
        .look()
        .then(resolve, reject)
        .finally(() => cancelTimer());
    });
  }
}

const DEGRADED = { state: 'degraded' };
