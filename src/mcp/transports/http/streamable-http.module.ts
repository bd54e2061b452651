import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../../../auth/auth.module.js';
import { Clock } from '../../../common/clock.port.js';
import { GatewayConfig } from '../../../config/index.js';
import { Redis } from '../../../state/index.js';
import { ServerFactory } from '../../server-factory.js';
import { AUTHENTICATION_PROVIDER } from './authentication.provider.js';
import { McpController } from './mcp.controller.js';
import { McpDispatcher } from './mcp-dispatcher.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { provideServerFactory, type StaticParts } from './server-factory.provider.js';
import { ScopeCheck } from './scope-check.js';
import { provideScopeCheck } from './scope-check.provider.js';
import { Sessions } from './sessions.js';
import type { SharedSessions } from './shared-sessions.js';
import { TransportLoad } from './transport-load.port.js';

/** Null where this process stands alone. */
const SharedSessionsToken = Symbol('SharedSessions');

/** MCP over Streamable HTTP. */
@Module({})
export class StreamableHttpModule {
  /** @param app the module that provides the tools and resources */
  static register(app: DynamicModule, parts: StaticParts): DynamicModule {
    return {
      module: StreamableHttpModule,
      imports: [AuthModule, app],
      controllers: [McpController, ProtectedResourceController],
      providers: [
        provideServerFactory(parts),
        AUTHENTICATION_PROVIDER,
        provideScopeCheck(parts),
        {
          provide: Sessions,
          inject: [GatewayConfig, Clock],
          useFactory: ({ maxSessions, sessionTtlSeconds }: GatewayConfig, clock: Clock) =>
            new Sessions({ maxSessions, ttlMs: sessionTtlSeconds * 1000, clock }),
        },
        {
          provide: SharedSessionsToken,
          inject: [{ token: Redis, optional: true }, GatewayConfig, Clock],
          useFactory: async (
            redis: Redis | null | undefined,
            { maxSessions, sessionTtlSeconds }: GatewayConfig,
            clock: Clock,
          ): Promise<SharedSessions | null> => {
            if (!redis) return null;
            const { SharedSessions } = await import('./shared-sessions.js');
            return new SharedSessions(redis, {
              maxSessions,
              ttlMs: sessionTtlSeconds * 1000,
              replica: randomUUID(),
              clock,
            });
          },
        },
        {
          provide: McpDispatcher,
          inject: [ServerFactory, Sessions, ScopeCheck, SharedSessionsToken],
          useFactory: async (
            factory: ServerFactory,
            sessions: Sessions,
            scopes: ScopeCheck,
            shared: SharedSessions | null,
          ) => {
            const dispatcher = new McpDispatcher(factory, sessions, scopes, shared);
            await dispatcher.start();
            return dispatcher;
          },
        },
        { provide: TransportLoad, useExisting: McpDispatcher },
      ],
    };
  }
}
