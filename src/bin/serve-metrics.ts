/** `/metrics` on a port of its own: nobody is asked who they are there, so it can be kept from those who reach the other one. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AppOptions } from '../app.module.js';
import type { CallAdmission } from '../auth/index.js';
import type { Clock } from '../common/clock.port.js';
import type { WatchedStores } from '../common/watched-stores.js';
import type { DrainState, EventLoopDelay } from '../health/index.js';
import type { TransportLoad } from '../mcp/transports/http/index.js';
import type { Redis } from '../state/index.js';
import { PrometheusMetrics } from '../observability/prometheus-metrics.js';
import { measuredTools } from './measured-tools.js';
import { UnusableAddress } from './unusable-address.js';

/** How long a client may take to say what it wants, in milliseconds. */
const REQUEST_WITHIN_MS = 5000;

/** Prometheus, its replica, a person with curl; more are no scrapers. */
const MAX_CONNECTIONS = 16;

/** What of a server is measured while it runs. */
export interface MeasuredServer {
  readonly load: TransportLoad;
  /** What lets calls in. */
  readonly calls: Pick<CallAdmission, 'inFlight' | 'queued'>;
  readonly state: DrainState;
  readonly stores: WatchedStores;
  /** Null where there is none. */
  readonly redis: Redis | null;
  readonly eventLoop: EventLoopDelay;
}

/** Metrics that are served. */
export interface MetricsServer {
  /** `http://host:port/metrics`. */
  readonly url: string;
  /** Ends at once: a scrape that is cut off is tried again by itself. */
  close(): Promise<void>;
}

/** The first half of measuring: what the server has to be built from. */
export interface Measuring {
  /** Those given, but with tools and an observer that count. */
  readonly options: AppOptions;
  /**
   * The second half, once the server is built: serves what was counted.
   *
   * @throws UnusableAddress
   */
  serve(server: MeasuredServer): Promise<MetricsServer>;
}

/** Measures the server that is built from `options`. */
export function measure(options: AppOptions, clock: Clock): Measuring {
  const metrics = new PrometheusMetrics({ version: options.version, tools: options.tools.map(({ name }) => name) });
  const tools = measuredTools(options.tools, clock, (...call) => metrics.onToolCall(...call));
  const { host, metricsPort } = options.config.gateway;
  return {
    options: {
      ...options,
      tools,
      onRefused: (failure) => metrics.onRefused(failure),
      observers: [...(options.observers ?? []), metrics],
    },
    serve: ({ load, calls, state, stores, redis, eventLoop }) => {
      metrics.watch({
        inFlight: () => load.inFlight,
        sessionCount: () => load.sessionCount,
        calls,
        isDraining: () => state.isDraining,
        stores,
        redis,
        eventLoopDelayMs: () => eventLoop.meanMs,
        audit: options.audit,
      });
      return serveMetrics(metrics, host, metricsPort ?? 0);
    },
  };
}

async function serveMetrics(metrics: PrometheusMetrics, host: string, port: number): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_WITHIN_MS, headersTimeout: REQUEST_WITHIN_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (request, response) => void answer(metrics, request, response));
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new UnusableAddress('GOPHER_MCP_HOST and GOPHER_MCP_METRICS_PORT', `${host}:${port}`, error);
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  metrics: PrometheusMetrics,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url.split('?', 1)[0] !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  try {
    const text = await metrics.render();
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
