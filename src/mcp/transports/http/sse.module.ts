import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../../../auth/auth.module.js';
import { Clock } from '../../../common/clock.port.js';
import { GatewayConfig } from '../../../config/index.js';
import { ServerFactory } from '../../server-factory.js';
import { AUTHENTICATION_PROVIDER } from './authentication.provider.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { provideServerFactory, type StaticParts } from './server-factory.provider.js';
import { ScopeCheck } from './scope-check.js';
import { provideScopeCheck } from './scope-check.provider.js';
import { SseController } from './sse.controller.js';
import { SseDispatcher } from './sse-dispatcher.js';
import { TransportLoad } from './transport-load.port.js';

/** MCP over HTTP+SSE. */
@Module({})
export class SseModule {
  /** @param app the module that provides the tools and resources */
  static register(app: DynamicModule, parts: StaticParts): DynamicModule {
    return {
      module: SseModule,
      imports: [AuthModule, app],
      controllers: [SseController, ProtectedResourceController],
      providers: [
        provideServerFactory(parts),
        AUTHENTICATION_PROVIDER,
        provideScopeCheck(parts),
        {
          provide: SseDispatcher,
          inject: [ServerFactory, ScopeCheck, GatewayConfig, Clock],
          useFactory: async (
            factory: ServerFactory,
            scopes: ScopeCheck,
            { maxSessions }: GatewayConfig,
            clock: Clock,
          ) => {
            const dispatcher = new SseDispatcher(factory, scopes, { maxConnections: maxSessions, clock });
            await dispatcher.start();
            return dispatcher;
          },
        },
        { provide: TransportLoad, useExisting: SseDispatcher },
      ],
    };
  }
}
