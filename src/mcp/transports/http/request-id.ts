/**
 * The id of an HTTP request: it stands in the log lines, in the audit lines and in the answer (X-Request-Id), so that what a caller
 * reports can be found. One that a trusted proxy gave is kept; everybody else gets one of ours, or a caller could write what it
 * likes into the records of others.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { cidrReaches, parseCidr } from '../../../common/net/ip.js';

/** The header, as Node spells it. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What is kept of others' ids: what the generators of proxies make, and nothing that means something in a log or a header. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Makes the id of a request. @param trusted networks whose members may choose it, in CIDR notation */
export function requestIds(trusted: readonly string[]): (request: IncomingMessage) => string {
  const networks = trusted.map(parseCidr).filter((network) => network !== null);
  return ({ headers, socket: { remoteAddress } }) => {
    const given = headers[REQUEST_ID_HEADER];
    if (typeof given !== 'string' || remoteAddress === undefined || !SAFE_ID.test(given)) return randomUUID();
    return networks.some((network) => cidrReaches(network, remoteAddress)) ? given : randomUUID();
  };
}

/** Tells every caller the id of its request. */
export function tellRequestIds(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ id }, reply, done) => {
    reply.raw.setHeader(REQUEST_ID_HEADER, id);
    done();
  });
}
