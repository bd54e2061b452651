import { Module, type DynamicModule } from '@nestjs/common';
import { GeminiConfig, RedisConfig } from '../config/index.js';
import { Log } from '../logging/index.js';
import { asError } from '../common/thrown.js';
import type { Surroundings } from './core/state-locations.js';
import { homeDirectory, locateState, makePrivateFolder } from './io/locate-state.js';
import { LocatedState, StatePlatform } from './located-state.js';

/** The environment and the platform of the process. */
export type Machine = Pick<Surroundings, 'env' | 'platform'>;

/** Global: finds the places of pins and identities once, and makes their folders private. */
@Module({})
export class FileStoreModule {
  static forRoot({ env, platform }: Machine): DynamicModule {
    return {
      module: FileStoreModule,
      global: true,
      providers: [
        { provide: StatePlatform, useValue: platform },
        {
          provide: LocatedState,
          inject: [GeminiConfig, RedisConfig, Log],
          useFactory: async (config: GeminiConfig, { redisUrl }: RedisConfig, log: Log): Promise<LocatedState> => {
            const located = await locateState(
              { env, platform, home: homeDirectory(env) },
              {
                trustFile: config.tofuStoragePath,
                identityDirectory: config.clientCertsStoragePath,
              },
            );
            // Where everything is in Redis, no folder is needed.
            if (!located.ok || redisUrl !== null) return located;
            const { ownDirectory, identityDirectory } = located.value;
            const folders = config.clientCertsEnabled ? [ownDirectory, identityDirectory] : [ownDirectory];
            for (const folder of folders.filter((path) => path !== null)) {
              const trouble = await makePrivateFolder(folder, platform);
              if (trouble !== undefined) log.warning('state folder not private', { error: asError(trouble) });
            }
            return located;
          },
        },
      ],
      exports: [LocatedState, StatePlatform],
    };
  }
}
