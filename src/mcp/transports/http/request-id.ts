/**
 * The id of an HTTP request: it stands in the log lines, in the audit lines and in the answer (X-Request-Id), so that what a caller
 * reports can be found. One that a trusted proxy gave is kept; everybody else gets one of ours, or a caller could write what it
 * likes into the records of others.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The header, as Node spells it. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What is kept of others' ids: what the generators of proxies make, and nothing that means something in a log or a header. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Makes the id of a request. @param isTrusted whether the peer of this address may choose it */
export function requestIds(isTrusted: (address: string) => boolean): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER];
    const isKept = typeof given === 'string' && SAFE_ID.test(given) && isTrusted(socket.remoteAddress ?? '');
    return isKept ? given : randomUUID();
  };
}

/** Tells every caller the id of its request. */
export function tellRequestIds(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ id }, reply, done) => {
    reply.raw.setHeader(REQUEST_ID_HEADER, id);
    done();
  });
}
