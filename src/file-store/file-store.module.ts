import { Module, type DynamicModule } from '@nestjs/common';
import { GeminiConfig } from '../config/index.js';
import { Log } from '../logging/index.js';
import { asError } from '../common/thrown.js';
import type { Surroundings } from './core/state-locations.js';
import { locateState, makePrivateFolder } from './io/locate-state.js';
import { LocatedState, StatePlatform } from './located-state.js';

/** Global: finds the places of pins and identities once, and makes the data directory private. */
@Module({})
export class FileStoreModule {
  static forRoot(surroundings: Surroundings): DynamicModule {
    return {
      module: FileStoreModule,
      global: true,
      providers: [
        { provide: StatePlatform, useValue: surroundings.platform },
        {
          provide: LocatedState,
          inject: [GeminiConfig, Log],
          useFactory: async (config: GeminiConfig, log: Log): Promise<LocatedState> => {
            const located = await locateState(surroundings, {
              trustFile: config.tofuStoragePath,
              identityDirectory: config.clientCertsStoragePath,
            });
            const own = located.ok ? located.value.ownDirectory : null;
            const trouble = own === null ? undefined : await makePrivateFolder(own, surroundings.platform);
            if (trouble !== undefined) log.warning('data directory not private', { error: asError(trouble) });
            return located;
          },
        },
      ],
      exports: [LocatedState, StatePlatform],
    };
  }
}
