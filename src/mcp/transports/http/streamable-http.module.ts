import { Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../../../common/clock.port.js';
import { GatewayConfig } from '../../../config/index.js';
import { ServerFactory } from '../../server-factory.js';
import { McpController } from './mcp.controller.js';
import { McpDispatcher } from './mcp-dispatcher.js';
import { provideServerFactory, type StaticParts } from './server-factory.provider.js';
import { Sessions } from './sessions.js';
import { TransportLoad } from './transport-load.port.js';

/** MCP over Streamable HTTP. */
@Module({})
export class StreamableHttpModule {
  /** @param app the module that provides the tools and resources */
  static register(app: DynamicModule, parts: StaticParts): DynamicModule {
    return {
      module: StreamableHttpModule,
      imports: [app],
      controllers: [McpController],
      providers: [
        provideServerFactory(parts),
        {
          provide: Sessions,
          inject: [GatewayConfig, Clock],
          useFactory: ({ maxSessions, sessionTtlSeconds }: GatewayConfig, clock: Clock) =>
            new Sessions({ maxSessions, ttlMs: sessionTtlSeconds * 1000, clock }),
        },
        {
          provide: McpDispatcher,
          inject: [ServerFactory, Sessions],
          useFactory: async (factory: ServerFactory, sessions: Sessions) => {
            const dispatcher = new McpDispatcher(factory, sessions);
            await dispatcher.start();
            return dispatcher;
          },
        },
        { provide: TransportLoad, useExisting: McpDispatcher },
      ],
    };
  }
}
