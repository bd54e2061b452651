import { Module, type DynamicModule } from '@nestjs/common';
import { WatchedStores } from '../common/watched-stores.js';
import { FetchObserver } from '../fetch/index.js';
import { Log } from '../logging/index.js';
import { FetchLog } from './fetch-log.js';
import { FetchObservers } from './fetch-observers.js';

/** Global: tells the operator what the fetches do and how the stores are. */
@Module({})
export class ObservabilityModule {
  /** @param observers who besides the log is told of fetches */
  static forRoot(observers: readonly FetchObserver[]): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      providers: [
        WatchedStores,
        {
          provide: FetchObserver,
          inject: [Log],
          useFactory: (log: Log) => new FetchObservers([new FetchLog(log), ...observers]),
        },
      ],
      exports: [FetchObserver, WatchedStores],
    };
  }
}
