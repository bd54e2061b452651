/**
 * Reads JSON bodies for the MCP endpoint. Fastify's own parser answers malformed JSON with an error of its own, where the
 * protocol wants -32700, and refuses the empty body with a JSON content type that some clients send with DELETE.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';

const UNPARSABLE = Symbol('unparsable');

/** Whether a body arrived that is no JSON. */
export function isUnparsable(body: unknown): boolean {
  return body === UNPARSABLE;
}

/** Installs the parser. */
export function parseJsonBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length === 0 ? undefined : parsedBody(body));
  });
}

/** What a body says. Bytes that are no UTF-8 are refused, not replaced: a proxy that looked at them before may have read something else (RFC 8259, 8.1). */
export function parsedBody(body: string | Buffer): unknown {
  if (typeof body !== 'string' && !isUtf8(body)) return UNPARSABLE;
  try {
    return JSON.parse(body.toString());
  } catch {
    return UNPARSABLE;
  }
}
