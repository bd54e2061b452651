/**
 * Lets web pages of listed origins call from a browser (CORS). Nobody else gets these headers, so that a browser keeps every answer
 * from a page that was not meant to have it. Credentials of the browser's own (cookies) play no part: a page sends its token itself.
 *
 * The headers are set on the raw response, before anything else can answer: MCP answers are written past Fastify, so what a plugin
 * such as `@fastify/cors` puts on a Fastify reply would never be sent.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** What a page may send. */
const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'GopherMcp-Read-Only',
  'GopherMcp-Tools',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Traceparent',
  'Tracestate',
  'X-API-Key',
].join(', ');

/** What a page may read of an answer, beside what every page may. */
const EXPOSED_HEADERS = [
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const ALLOWED_METHODS = 'GET, POST, DELETE';

/** How long a browser may keep the answer to its question, in seconds. */
const PREFLIGHT_TTL_SECONDS = 3600;

/**
 * Installs it. Before the checks of the edge: a browser asks without credentials whether it may send them, and a page that is refused
 * has to be able to read why.
 *
 * @param origins as browsers write them; nothing is installed when there are none
 * @param isServed whether a request is addressed to this server
 */
export function allowOrigins(
  fastify: FastifyInstance,
  origins: readonly string[],
  isServed: (headers: IncomingHttpHeaders) => boolean,
): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  fastify.addHook('onRequest', ({ method, headers }, reply, done) => {
    const { origin } = headers;
    reply.raw.appendHeader('vary', 'Origin');
    if (origin === undefined || !allowed.has(origin.toLowerCase()) || !isServed(headers)) return done();
    reply.raw.setHeader('access-control-allow-origin', origin);
    reply.raw.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return done();
    reply.hijack();
    answerPreflight(reply.raw);
  });
}

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': String(PREFLIGHT_TTL_SECONDS),
  });
  response.end();
}
