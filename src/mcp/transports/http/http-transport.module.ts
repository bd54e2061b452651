import { Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../../../common/clock.port.js';
import { GatewayConfig } from '../../../config/index.js';
import { ServerFactory, type ServerParts } from '../../server-factory.js';
import { PageReader } from '../../resources/page-reader.js';
import { PolicyReader } from '../../resources/policy.resource.js';
import { ToolRunner } from '../../tool-runner.js';
import { McpController } from './mcp.controller.js';
import { McpDispatcher } from './mcp-dispatcher.js';
import { Sessions } from './sessions.js';

/** MCP over Streamable HTTP. */
@Module({})
export class HttpTransportModule {
  /** @param app the module that provides the tools and resources */
  static register(app: DynamicModule, parts: Omit<ServerParts, 'services'>): DynamicModule {
    return {
      module: HttpTransportModule,
      imports: [app],
      controllers: [McpController],
      providers: [
        {
          provide: Sessions,
          inject: [GatewayConfig, Clock],
          useFactory: ({ maxSessions, sessionTtlSeconds }: GatewayConfig, clock: Clock) =>
            new Sessions({ maxSessions, ttlMs: sessionTtlSeconds * 1000, clock }),
        },
        {
          provide: McpDispatcher,
          inject: [ToolRunner, PolicyReader, PageReader, Sessions],
          useFactory: async (runner: ToolRunner, policy: PolicyReader, pages: PageReader, sessions: Sessions) => {
            const services = { runner, policy, pages };
            const factory = new ServerFactory({ ...parts, services: () => Promise.resolve(services) });
            const dispatcher = new McpDispatcher(factory, sessions);
            await dispatcher.start();
            return dispatcher;
          },
        },
      ],
    };
  }
}
