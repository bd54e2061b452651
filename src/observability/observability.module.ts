import { Global, Module } from '@nestjs/common';
import { WatchedStores } from '../common/watched-stores.js';
import { FetchObserver } from '../fetch/index.js';
import { Log } from '../logging/index.js';
import { FetchLog } from './fetch-log.js';

/** Tells the operator what the fetches do. */
@Global()
@Module({
  providers: [WatchedStores, { provide: FetchObserver, inject: [Log], useFactory: (log: Log) => new FetchLog(log) }],
  exports: [FetchObserver, WatchedStores],
})
export class ObservabilityModule {}
