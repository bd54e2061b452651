import type { IncomingMessage } from 'node:http';
import { Module, RequestMethod, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from 'pino';
import { clientAddress } from '../common/net/client-address.js';
import { parseTraceContext } from '../common/trace-context.js';

/** Status of a request for which there was no room: nothing is wrong with the server, and there are many of them at once. */
const TURNED_AWAY = 503;

/** Requests that come by the clock and say nothing. */
const UNREMARKABLE = /^\/(health|metrics)(\/|$)/;

/**
 * The access log: one record a request, with an id, through the same log as everything else. Written at info, as warnings and
 * errors where the status says so. Nothing of a body, a header or a query is in it: a query carries session ids.
 */
@Module({})
export class RequestLogModule {
  /** @param shared the log of the process, in the form of its library */
  static register(shared: Logger): DynamicModule {
    return {
      module: RequestLogModule,
      imports: [
        LoggerModule.forRoot({
          forRoutes: [{ path: '*path', method: RequestMethod.ALL }],
          pinoHttp: {
            logger: shared,
            quietReqLogger: true,
            customLogLevel: (_request, { statusCode }, error) =>
              error || (statusCode >= 500 && statusCode !== TURNED_AWAY)
                ? 'error'
                : statusCode >= 400
                  ? 'warn'
                  : 'info',
            customSuccessMessage: () => 'request served',
            customErrorMessage: () => 'request failed',
            customAttributeKeys: { responseTime: 'duration_ms', reqId: 'request_id' },
            customProps: (request) => {
              const trace = parseTraceContext(request.headers['traceparent']);
              return { client: clientOf(request), ...(trace && { trace_id: trace.traceId }) };
            },
            serializers: {
              req: ({ method, url }: { readonly method: string; readonly url: string }) => ({
                method,
                path: pathOf(url),
              }),
              res: ({ statusCode }: { readonly statusCode: number }) => ({ status: statusCode }),
              err: () => undefined,
            },
            autoLogging: { ignore: (request) => UNREMARKABLE.test(givenPath(request)) },
          },
        }),
      ],
    };
  }
}

/** Fastify leaves at a request what trusted proxies say of its client. */
function clientOf(request: IncomingMessage): string {
  const ip = 'ip' in request && typeof request.ip === 'string' ? request.ip : '';
  return clientAddress({ ip, socket: request.socket });
}

/** Middleware is handed requests whose `url` lacks what its own route matched. */
function givenPath(request: IncomingMessage): string {
  const given: unknown = 'originalUrl' in request ? request.originalUrl : request.url;
  return typeof given === 'string' ? pathOf(given) : '';
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
