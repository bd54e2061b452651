import { Module, type DynamicModule } from '@nestjs/common';
import type { AppOptions } from './app.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpTransportModule } from './mcp/transports/http/http-transport.module.js';

/** The root when serving over HTTP: the same graph, with the transport and its health. */
@Module({})
export class HttpAppModule {
  static register(app: DynamicModule, { version, tools, templates }: AppOptions): DynamicModule {
    return {
      module: HttpAppModule,
      imports: [app, HttpTransportModule.register(app, { version, tools, templates }), HealthModule.register(version)],
    };
  }
}
