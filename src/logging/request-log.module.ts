import type { IncomingMessage } from 'node:http';
import { Module, RequestMethod, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from 'pino';
import { parseTraceContext } from '../common/trace-context.js';

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
              error || statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : 'info',
            customSuccessMessage: () => 'request served',
            customErrorMessage: () => 'request failed',
            customAttributeKeys: { responseTime: 'duration_ms', reqId: 'request_id' },
            customProps: ({ headers }) => {
              const trace = parseTraceContext(headers['traceparent']);
              return trace === undefined ? {} : { trace_id: trace.traceId };
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

/** Middleware is handed requests whose `url` lacks what its own route matched. */
function givenPath(request: IncomingMessage): string {
  const given: unknown = 'originalUrl' in request ? request.originalUrl : request.url;
  return typeof given === 'string' ? pathOf(given) : '';
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
