import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule, type AppOptions } from '../app.module.js';
import { HttpAppModule } from '../http-app.module.js';
import { guardMcpEndpoints, hostPolicy, McpEdgeFilter, parseJsonBodies } from '../mcp/transports/http/index.js';
import type { OpenedLog } from '../logging/index.js';
import { watchUnused } from './unused-connections.js';

/** A server that listens. */
export interface HttpServer {
  /** `http://host:port`, as a client on this machine reaches it. */
  readonly url: string;
  /** Stops taking connections, lets running requests end, closes everything. */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP (`/mcp`), or over HTTP+SSE (`/sse`, `/messages/`) if that is the configured transport, and
 * `/health`.
 *
 * @throws when the address cannot be bound
 */
export async function serveHttp(options: AppOptions, { nest }: OpenedLog): Promise<HttpServer> {
  const { host, port, allowedHosts, maxBodyBytes } = options.config.gateway;
  const root = HttpAppModule.register(await AppModule.register(options), options);
  const adapter = new FastifyAdapter({
    bodyLimit: maxBodyBytes,
    routerOptions: { ignoreTrailingSlash: true },
  });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    logger: nest,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const closeUnused = watchUnused(fastify.server);
  guardMcpEndpoints(fastify, hostPolicy(host, allowedHosts ?? []));
  parseJsonBodies(fastify);
  app.useGlobalFilters(new McpEdgeFilter(adapter));
  await app.init();
  // Not app.listen(): that logs a failure itself, which the caller reports already.
  const url = await fastify.listen({ port, host });
  const close = (): Promise<void> => {
    closeUnused();
    return app.close();
  };
  return { url, close };
}
