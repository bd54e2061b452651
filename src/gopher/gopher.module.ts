import { Module } from '@nestjs/common';
import { PageCache, SharedEntries } from '../cache/index.js';
import { PageCacheModule } from '../cache/cache.module.js';
import { Clock } from '../common/clock.port.js';
import { GopherConfig, ServerConfig, TenantsConfig } from '../config/index.js';
import { createPipeline, FetchObserver, type FetchPipeline } from '../fetch/index.js';
import { DnsResolver, SharedPoliteness } from '../safety/index.js';
import { SafetyModule } from '../safety/safety.module.js';
import { GopherDialer } from './gopher-dialer.port.js';
import { GopherPipeline } from './gopher-pipeline.token.js';
import { GopherOptions, GopherProtocol } from './gopher.protocol.js';
import { NodeTcpDialer } from './io/tcp-dialer.js';

/** Gopher behind its pipeline. */
@Module({
  imports: [
    SafetyModule,
    PageCacheModule.register({
      protocol: 'gopher',
      inject: [GopherConfig, ServerConfig],
      useFactory: ({ maxCacheEntries }: GopherConfig, { cacheMaxBytes }: ServerConfig) => ({
        maxEntries: maxCacheEntries,
        maxBytes: cacheMaxBytes,
      }),
    }),
  ],
  providers: [
    { provide: GopherDialer, inject: [Clock], useFactory: (clock: Clock) => new NodeTcpDialer(clock) },
    {
      provide: GopherOptions,
      inject: [GopherConfig],
      useFactory: ({ maxResponseSize, maxSelectorLength, maxSearchLength }: GopherConfig): GopherOptions => ({
        maxResponseBytes: maxResponseSize,
        maxSelectorLength,
        maxSearchLength,
      }),
    },
    GopherProtocol,
    {
      provide: GopherPipeline,
      inject: [
        GopherProtocol,
        GopherConfig,
        ServerConfig,
        TenantsConfig,
        Clock,
        DnsResolver,
        PageCache,
        SharedEntries,
        SharedPoliteness,
        FetchObserver,
      ],
      useFactory: (
        protocol: GopherProtocol,
        settings: GopherConfig,
        { heldBodiesMaxBytes, maxResultBytes }: ServerConfig,
        { sharedCache }: TenantsConfig,
        clock: Clock,
        resolver: DnsResolver,
        pages: PageCache,
        shared: SharedEntries | null,
        politeness: SharedPoliteness | null,
        observer: FetchObserver,
      ): FetchPipeline =>
        createPipeline(
          protocol,
          settings,
          {
            variablePrefix: 'GOPHER_',
            robotsAgents: ['gopher-mcp'],
            onRobotsFailure: 'allow',
            maxItems: settings.maxMenuItems,
          },
          { clock, resolver, pages, shared, politeness, observer, heldBodiesMaxBytes, sharedCache, maxResultBytes },
        ),
    },
  ],
  exports: [GopherPipeline],
})
export class GopherModule {}
