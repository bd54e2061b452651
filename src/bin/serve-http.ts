import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule, type AppOptions } from '../app.module.js';
import { CallAdmission, type Tenants } from '../auth/index.js';
import { SystemClock } from '../clock/system-clock.js';
import { WatchedStores } from '../common/watched-stores.js';
import { ConfigError, type Config } from '../config/index.js';
import { DrainState, EventLoopDelay } from '../health/index.js';
import { HttpAppModule } from '../http-app.module.js';
import {
  admitsHost,
  allowOrigins,
  Authentication,
  guardMcpEndpoints,
  hostPolicy,
  McpEdgeFilter,
  parseJsonBodies,
  requestIds,
  tellRequestIds,
  TransportLoad,
  trustedProxies,
} from '../mcp/transports/http/index.js';
import type { Log, OpenedLog } from '../logging/index.js';
import { Redis } from '../state/index.js';
import { drain } from './drain.js';
import { watchAnswers } from './open-answers.js';
import type { MetricsServer } from './serve-metrics.js';
import { watchUnused } from './unused-connections.js';
import { UnusableAddress } from './unusable-address.js';

/** Time for what is written to reach its clients once no call runs any more, in milliseconds. */
const FLUSH_WITHIN_MS = 2000;

/** Longest time that the headers of a request may take, in milliseconds. */
const HEADERS_WITHIN_MS = 10_000;

/** Bytes of the headers of a request: room for a token of some kilobytes. More are answered with 431. */
const MAX_HEADER_BYTES = 16_384;

/**
 * How long an unused connection is kept, in milliseconds: longer than balancers keep theirs, a minute as a rule, so that it is they
 * who close. A connection that is closed here can meet a request that is on its way.
 */
const KEEP_ALIVE_MS = 75_000;

/** How often it is looked for requests that take too long to arrive, in milliseconds. */
const LOOK_FOR_SLOW_EVERY_MS = 1000;

/** A server that listens. */
export interface HttpServer {
  /** `http://host:port`, as a client on this machine reaches it. */
  readonly url: string;
  /** Where the metrics are; null when they are off. */
  readonly metricsUrl: string | null;
  /**
   * Takes no more connections, lets running calls end within the time that GOPHER_MCP_DRAIN_SECONDS gives, and closes everything.
   *
   * @param giveNotice serves on for a moment, so that a balancer learns from `/health/ready` to send no more calls
   */
  close(giveNotice?: boolean): Promise<void>;
}

/** @throws ConfigError when the file of the tenants cannot be used */
async function readTenants({ tenants: { tenantsFile } }: Config, log: Log): Promise<Tenants | undefined> {
  if (tenantsFile === null) return undefined;
  const { openTenants } = await import('./open-tenants.js');
  const tenants = await openTenants(tenantsFile, log);
  if (!tenants.ok) throw new ConfigError(tenants.error);
  return tenants.value;
}

/**
 * Serves MCP over Streamable HTTP (`/mcp`), or over HTTP+SSE (`/sse`, `/messages/`) if that is the configured transport, and
 * `/health`; with GOPHER_MCP_METRICS_PORT also `/metrics`, there.
 *
 * @throws UnusableAddress, ConfigError
 */
export async function serveHttp(given: AppOptions, { nest, pino }: OpenedLog): Promise<HttpServer> {
  const { config, log } = given;
  const { host, port, allowedHosts, maxBodyBytes, requestTimeoutSeconds, metricsPort, drainSeconds } = config.gateway;
  const clock = new SystemClock();
  const measuring = metricsPort === null ? null : (await import('./serve-metrics.js')).measure(given, clock);
  const options = measuring?.options ?? given;

  const tenants = await readTenants(config, log);
  const root = HttpAppModule.register(await AppModule.register(options), options, pino, tenants);
  const adapter = new FastifyAdapter({
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutSeconds * 1000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(requestTimeoutSeconds * 1000, HEADERS_WITHIN_MS),
      connectionsCheckingInterval: LOOK_FOR_SLOW_EVERY_MS,
    },
    trustProxy: trustedProxies(config.edge.trustedProxies ?? []),
    return503OnClosing: false,
    genReqId: requestIds(config.edge.trustedProxies ?? []),
    routerOptions: { ignoreTrailingSlash: true },
  });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    logger: nest,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const answers = watchAnswers(fastify.server);
  const closeUnused = watchUnused(fastify.server);
  tellRequestIds(fastify);
  const allowedOrigins = config.edge.allowedOrigins ?? [];
  const policy = hostPolicy(host, allowedHosts ?? [], allowedOrigins);
  allowOrigins(fastify, allowedOrigins, (headers) => admitsHost(policy, headers.host));
  guardMcpEndpoints(fastify, policy, app.get(Authentication, { strict: false }), options.calls);
  parseJsonBodies(fastify);
  app.useGlobalFilters(new McpEdgeFilter(adapter));
  await app.init();

  const load = app.get<TransportLoad>(TransportLoad, { strict: false });
  const state = app.get(DrainState, { strict: false });
  const stores = app.get(WatchedStores, { strict: false });
  const eventLoop = app.get(EventLoopDelay, { strict: false });
  const redis = app.get<Redis | null>(Redis, { strict: false });
  const calls = app.get(CallAdmission, { strict: false });
  let metrics: MetricsServer | undefined;
  let url: string;
  try {
    metrics = await measuring?.serve({ load, calls, state, stores, redis, eventLoop });
    // Not app.listen(): that logs a failure itself, which the caller reports already.
    url = await fastify.listen({ port, host }).catch((error: unknown) => {
      throw new UnusableAddress('GOPHER_MCP_HOST and GOPHER_MCP_PORT', `${host}:${port}`, error);
    });
  } catch (error) {
    await app.close();
    await metrics?.close();
    throw error;
  }

  log.info('serving', {
    url,
    transport: config.gateway.transport,
    host_check: policy.hosts !== null,
    hosts: policy.hosts,
  });

  const close = async (giveNotice = false): Promise<void> => {
    answers.announceEnd();
    const server = {
      state,
      inFlight: () => Math.max(load.inFlight, answers.count),
      stopListening: () => {
        closeUnused();
        void fastify.close();
      },
      cutOff: () => fastify.server.closeAllConnections(),
    };
    await drain(server, { drainMs: drainSeconds * 1000, giveNotice }, clock, log);
    const cancelFlush = clock.setTimer(FLUSH_WITHIN_MS, server.cutOff);
    await app.close();
    cancelFlush();
    await metrics?.close();
  };
  return { url, metricsUrl: metrics?.url ?? null, close };
}
