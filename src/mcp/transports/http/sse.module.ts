import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../../../auth/auth.module.js';
import { Clock } from '../../../common/clock.port.js';
import { GatewayConfig } from '../../../config/index.js';
import { ServerFactory } from '../../server-factory.js';
import { AUTHENTICATION_PROVIDER } from './authentication.provider.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { provideServerFactory, type StaticParts } from './server-factory.provider.js';
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
        {
          provide: SseDispatcher,
          inject: [ServerFactory, GatewayConfig, Clock],
          useFactory: async (factory: ServerFactory, { maxSessions }: GatewayConfig, clock: Clock) => {
            const dispatcher = new SseDispatcher(factory, { maxConnections: maxSessions, clock });
            await dispatcher.start();
            return dispatcher;
          },
        },
        { provide: TransportLoad, useExisting: SseDispatcher },
      ],
    };
  }
}
