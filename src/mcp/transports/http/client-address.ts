import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The IP address that a request counts for: that of the peer, or, where the peer is a trusted proxy, the one that it names in
 * X-Forwarded-For. The header of anybody else says nothing. Whatever a proxy passes on that is no address is not believed either.
 */
export function clientAddress({
  ip,
  socket,
}: Pick<FastifyRequest, 'ip'> & { readonly socket: { readonly remoteAddress?: string | undefined } }): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}
