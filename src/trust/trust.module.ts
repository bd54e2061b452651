import { Inject, Module } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { WatchedStores } from '../common/watched-stores.js';
import { GeminiConfig } from '../config/index.js';
import { LocatedState, StatePlatform } from '../file-store/index.js';
import { Log } from '../logging/index.js';
import { Redis } from '../state/index.js';
import { JsonFileTrustStore } from './io/json-file-trust-store.js';
import { PinChanges } from './pin-changes.js';
import { logPinChanges } from './pin-log.js';
import { PinObserver } from './pin-observer.port.js';
import { TrustOptions } from './trust-options.js';
import { TrustService } from './trust.service.js';
import { TrustStore } from './trust-store.port.js';
import { UnavailableTrustStore } from './unavailable-trust-store.js';

/** Trust on first use over the pin file, or over Redis where one is configured. */
@Module({
  providers: [
    {
      provide: TrustOptions,
      inject: [GeminiConfig],
      useFactory: ({ tofuEnabled, tofuRejectExpired, tofuRenewal }: GeminiConfig): TrustOptions => ({
        enabled: tofuEnabled,
        rejectExpired: tofuRejectExpired,
        renewal: { expired: tofuRenewal.includes('expired'), sameKey: tofuRenewal.includes('same-key') },
      }),
    },
    {
      provide: TrustStore,
      inject: [LocatedState, StatePlatform, Clock, Log, Redis],
      useFactory: async (
        located: LocatedState,
        platform: NodeJS.Platform,
        clock: Clock,
        log: Log,
        redis: Redis | null,
      ): Promise<TrustStore> => {
        const warn = ({ message }: { readonly message: string }): void =>
          log.warning('pins not refreshed', { message });
        if (redis !== null) {
          const { RedisTrustStore } = await import('./redis-trust-store.js');
          return new RedisTrustStore({ redis, clock, warn });
        }
        if (!located.ok) return new UnavailableTrustStore(located.error);
        return new JsonFileTrustStore({ path: located.value.trustFile, clock, platform, warn });
      },
    },
    PinChanges,
    { provide: PinObserver, useExisting: PinChanges },
    TrustService,
  ],
  exports: [TrustService, PinChanges],
})
export class TrustModule {
  constructor(
    @Inject(TrustStore) store: TrustStore,
    @Inject(TrustOptions) { enabled }: TrustOptions,
    @Inject(WatchedStores) watched: WatchedStores,
    @Inject(Redis) redis: Redis | null,
    @Inject(PinChanges) changes: PinChanges,
    @Inject(Log) log: Log,
  ) {
    changes.subscribe(logPinChanges(log));
    if (enabled) watched.add('pins', store, { isShared: redis !== null });
  }
}
