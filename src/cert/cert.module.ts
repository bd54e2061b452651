import { Inject, Module } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { ok } from '../common/result.js';
import { WatchedStores } from '../common/watched-stores.js';
import { GeminiConfig, ServerConfig, StateConfig } from '../config/index.js';
import { LocatedState, StatePlatform } from '../file-store/index.js';
import { Log } from '../logging/index.js';
import { Redis } from '../state/index.js';
import { noTenantFailure } from './core/identity-messages.js';
import { OpenIdentityArchive } from './identity-archive.port.js';
import { IdentityMinter } from './identity-minter.port.js';
import { IdentityOptions } from './identity-options.js';
import { IdentityService } from './identity.service.js';
import { IdentityStores } from './identity-store.port.js';
import { AesKeySealer } from './io/aes-key-sealer.js';
import { FileIdentityStores } from './io/file-identity-stores.js';
import { X509IdentityMinter } from './io/x509-identity-minter.js';
import { KeySealer } from './key-sealer.port.js';
import { UnavailableIdentityStore, UnavailableIdentityStores } from './unavailable-identity-store.js';

/** Client identities over their folder, or over Redis where one is configured. */
@Module({
  providers: [
    {
      provide: IdentityOptions,
      inject: [GeminiConfig],
      useFactory: ({ clientCertsEnabled }: GeminiConfig): IdentityOptions => ({ enabled: clientCertsEnabled }),
    },
    {
      provide: IdentityStores,
      inject: [LocatedState, StatePlatform, Clock, Log, KeySealer, Redis],
      useFactory: async (
        located: LocatedState,
        platform: NodeJS.Platform,
        clock: Clock,
        log: Log,
        sealer: KeySealer,
        redis: Redis | null,
      ): Promise<IdentityStores> => {
        if (redis !== null) {
          const { RedisIdentityStores } = await import('./redis-identity-stores.js');
          return new RedisIdentityStores(redis, sealer);
        }
        if (!located.ok) return new UnavailableIdentityStores(located.error);
        const warn = ({ message }: { readonly message: string }): void => log.warning('no identities', { message });
        const nowhere = new UnavailableIdentityStore(noTenantFailure());
        const directory = located.value.identityDirectory;
        return new FileIdentityStores({ directory, clock, platform, warn, sealer }, nowhere);
      },
    },
    {
      provide: OpenIdentityArchive,
      inject: [LocatedState, StatePlatform, Clock, KeySealer, Redis],
      useFactory:
        (
          located: LocatedState,
          platform: NodeJS.Platform,
          clock: Clock,
          sealer: KeySealer,
          redis: Redis | null,
        ): OpenIdentityArchive =>
        async () => {
          if (redis !== null) {
            const { RedisIdentityArchive } = await import('./redis-identity-archive.js');
            return ok(new RedisIdentityArchive(redis, sealer));
          }
          if (!located.ok) return located;
          const { FileIdentityArchive } = await import('./io/file-identity-archive.js');
          return ok(new FileIdentityArchive({ directory: located.value.identityDirectory, clock, platform, sealer }));
        },
    },
    {
      provide: KeySealer,
      inject: [StateConfig],
      useFactory: ({ stateKey, stateKeyOld }: StateConfig): KeySealer => new AesKeySealer(stateKey, stateKeyOld),
    },
    { provide: IdentityMinter, useClass: X509IdentityMinter },
    IdentityService,
  ],
  exports: [IdentityService],
})
export class CertModule {
  constructor(
    @Inject(IdentityStores) stores: IdentityStores,
    @Inject(IdentityOptions) { enabled }: IdentityOptions,
    @Inject(ServerConfig) { readOnly }: ServerConfig,
    @Inject(WatchedStores) watched: WatchedStores,
    @Inject(Redis) redis: Redis | null,
  ) {
    // Only tools change identities, and where they may not, the folder can be mounted read-only.
    if (enabled) watched.add('identities', stores.all, { isWritten: !readOnly, isShared: redis !== null });
  }
}
