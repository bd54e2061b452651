import { Module } from '@nestjs/common';
import { PageCache } from '../../../src/cache/index.js';
import { PageCacheModule } from '../../../src/cache/cache.module.js';
import { Clock } from '../../../src/common/clock.port.js';
import { GopherConfig } from '../../../src/config/index.js';
import { createPipeline, FetchObserver, type FetchPipeline } from '../../../src/fetch/index.js';
import { DnsResolver } from '../../../src/safety/index.js';
import { SafetyModule } from '../../../src/safety/safety.module.js';
import { FingerProtocol } from './finger.protocol.js';

export const FingerPipeline = Symbol('FingerPipeline');

@Module({
  imports: [
    SafetyModule,
    PageCacheModule.register({
      protocol: 'finger',
      inject: [],
      useFactory: () => ({ maxEntries: 10, maxBytes: 1_048_576 }),
    }),
  ],
  providers: [
    {
      provide: FingerPipeline,
      inject: [GopherConfig, Clock, DnsResolver, PageCache, FetchObserver],
      useFactory: (
        settings: GopherConfig,
        clock: Clock,
        resolver: DnsResolver,
        pages: PageCache,
        observer: FetchObserver,
      ): FetchPipeline =>
        createPipeline(
          new FingerProtocol(),
          settings,
          { variablePrefix: 'FINGER_', robotsAgents: [], onRobotsFailure: 'allow', maxItems: 0 },
          { clock, resolver, pages, observer, heldBodiesMaxBytes: 1_048_576, maxResultBytes: 0 },
        ),
    },
  ],
  exports: [FingerPipeline],
})
export class FingerModule {}
