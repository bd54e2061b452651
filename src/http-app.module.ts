import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import type { AppOptions } from './app.module.js';
import type { Tenants } from './auth/index.js';
import { TenantsModule } from './auth/tenants.module.js';
import { HealthModule } from './health/health.module.js';
import { RequestLogModule } from './logging/request-log.module.js';
import { SseModule } from './mcp/transports/http/sse.module.js';
import { StreamableHttpModule } from './mcp/transports/http/streamable-http.module.js';

/** The root when serving over HTTP: the same graph, with the transport and its health. */
@Module({})
export class HttpAppModule {
  /**
   * @param requestLog takes a record of each request
   * @param tenants undefined where all tenants may use the same
   */
  static register(
    app: DynamicModule,
    { version, tools, templates, config, calls, audit }: AppOptions,
    requestLog: Logger,
    tenants?: Tenants,
  ): DynamicModule {
    const transport = config.gateway.transport === 'sse' ? SseModule : StreamableHttpModule;
    return {
      module: HttpAppModule,
      imports: [
        RequestLogModule.register(requestLog),
        app,
        ...(tenants === undefined ? [] : [TenantsModule.forRoot(tenants)]),
        transport.register(app, { version, tools, templates, observer: calls }),
        HealthModule.register(version, audit),
      ],
    };
  }
}
