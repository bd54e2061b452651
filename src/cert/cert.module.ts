import { Inject, Module } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { WatchedStores } from '../common/watched-stores.js';
import { GeminiConfig, ServerConfig } from '../config/index.js';
import { LocatedState, StatePlatform } from '../file-store/index.js';
import { Log } from '../logging/index.js';
import { IdentityMinter } from './identity-minter.port.js';
import { IdentityOptions } from './identity-options.js';
import { IdentityService } from './identity.service.js';
import { IdentityStore } from './identity-store.port.js';
import { FileIdentityStore } from './io/file-identity-store.js';
import { X509IdentityMinter } from './io/x509-identity-minter.js';
import { UnavailableIdentityStore } from './unavailable-identity-store.js';

/** Client identities over their folder. */
@Module({
  providers: [
    {
      provide: IdentityOptions,
      inject: [GeminiConfig],
      useFactory: ({ clientCertsEnabled }: GeminiConfig): IdentityOptions => ({ enabled: clientCertsEnabled }),
    },
    {
      provide: IdentityStore,
      inject: [LocatedState, StatePlatform, Clock, Log],
      useFactory: (located: LocatedState, platform: NodeJS.Platform, clock: Clock, log: Log): IdentityStore => {
        if (!located.ok) return new UnavailableIdentityStore(located.error);
        const warn = ({ message }: { readonly message: string }): void => log.warning('no identities', { message });
        return new FileIdentityStore({ directory: located.value.identityDirectory, clock, platform, warn });
      },
    },
    { provide: IdentityMinter, useClass: X509IdentityMinter },
    IdentityService,
  ],
  exports: [IdentityService],
})
export class CertModule {
  constructor(
    @Inject(IdentityStore) store: IdentityStore,
    @Inject(IdentityOptions) { enabled }: IdentityOptions,
    @Inject(ServerConfig) { readOnly }: ServerConfig,
    @Inject(WatchedStores) watched: WatchedStores,
  ) {
    // Only tools change identities, and where they may not, the folder can be mounted read-only.
    if (enabled) watched.add('identities', store, { isWritten: !readOnly });
  }
}
