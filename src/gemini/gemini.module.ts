import { Module } from '@nestjs/common';
import { PageCache, SharedEntries } from '../cache/index.js';
import { PageCacheModule } from '../cache/cache.module.js';
import { CertModule } from '../cert/cert.module.js';
import { Clock } from '../common/clock.port.js';
import { GeminiConfig, ServerConfig, TenantsConfig } from '../config/index.js';
import { createPipeline, FetchObserver, type FetchPipeline } from '../fetch/index.js';
import { DnsResolver, SharedPoliteness } from '../safety/index.js';
import { SafetyModule } from '../safety/safety.module.js';
import { PinChanges } from '../trust/index.js';
import { TrustModule } from '../trust/trust.module.js';
import { GeminiPipeline } from './gemini-pipeline.token.js';
import { GeminiOptions, GeminiProtocol } from './gemini.protocol.js';
import { NodeTlsDialer } from './io/node-tls-dialer.js';
import { TlsDialer } from './tls-dialer.port.js';

/** Gemini behind its pipeline, with trust and identities. */
@Module({
  imports: [
    SafetyModule,
    TrustModule,
    CertModule,
    PageCacheModule.register({
      protocol: 'gemini',
      inject: [GeminiConfig, ServerConfig],
      useFactory: ({ maxCacheEntries }: GeminiConfig, { cacheMaxBytes }: ServerConfig) => ({
        maxEntries: maxCacheEntries,
        maxBytes: cacheMaxBytes,
      }),
    }),
  ],
  providers: [
    { provide: TlsDialer, inject: [Clock], useFactory: (clock: Clock) => new NodeTlsDialer(clock) },
    {
      provide: GeminiOptions,
      inject: [GeminiConfig],
      useFactory: ({ maxResponseSize, deniedMimeTypes }: GeminiConfig): GeminiOptions => ({
        maxResponseBytes: maxResponseSize,
        deniedMimeTypes,
      }),
    },
    GeminiProtocol,
    {
      provide: GeminiPipeline,
      inject: [
        GeminiProtocol,
        GeminiConfig,
        ServerConfig,
        TenantsConfig,
        Clock,
        DnsResolver,
        PageCache,
        SharedEntries,
        SharedPoliteness,
        FetchObserver,
        PinChanges,
      ],
      useFactory: (
        protocol: GeminiProtocol,
        settings: GeminiConfig,
        { heldBodiesMaxBytes, maxResultBytes }: ServerConfig,
        { sharedCache }: TenantsConfig,
        clock: Clock,
        resolver: DnsResolver,
        pages: PageCache,
        shared: SharedEntries | null,
        politeness: SharedPoliteness | null,
        observer: FetchObserver,
        pinChanges: PinChanges,
      ): FetchPipeline => {
        const pipeline: FetchPipeline = createPipeline(
          protocol,
          settings,
          {
            variablePrefix: 'GEMINI_',
            robotsAgents: ['gopher-mcp', 'webproxy', 'indexer'],
            onRobotsFailure: 'refuse',
            maxItems: 0,
          },
          { clock, resolver, pages, shared, politeness, observer, heldBodiesMaxBytes, sharedCache, maxResultBytes },
        );
        pinChanges.subscribe((host, port) => void pipeline.evictHost(host, port));
        return pipeline;
      },
    },
  ],
  exports: [GeminiPipeline, TrustModule, CertModule],
})
export class GeminiModule {}
