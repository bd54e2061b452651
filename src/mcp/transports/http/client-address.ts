/**
 * Whose address a request counts for, in quotas, in the audit and in the access log. Only what a trusted proxy says of it counts:
 * X-Forwarded-For is read from its end, past the proxies that are trusted, to the first address that is not. What stands before
 * that, and the header of anybody else, may be made up. Forwarded hosts and schemes are not read at all: the Host check looks at
 * what arrives.
 */
import { isIP } from 'node:net';
import { cidrReaches, parseCidr } from '../../../common/net/ip.js';

/** A request, as Fastify shows it: `ip` is what its proxies were found to say. */
export interface AddressedRequest {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** For Fastify's `trustProxy`: whether an address is that of a trusted proxy; false when there are none. @param networks CIDR */
export function trustedProxies(networks: readonly string[]): false | ((address: string) => boolean) {
  const trusted = networks.map(parseCidr).filter((network) => network !== null);
  return trusted.length > 0 && ((address) => trusted.some((network) => cidrReaches(network, address)));
}

/** The IP address of the client. Where a proxy passes on what is no address, the proxy's own: nobody counts as nobody. */
export function clientAddress({ ip, socket }: AddressedRequest): string {
  if (isIP(ip) !== 0) return ip;
  const bare = /^\[?([0-9a-f.:]+?)\]?:[0-9]{1,5}$/i.exec(ip)?.[1] ?? '';
  return isIP(bare) === 0 ? (socket.remoteAddress ?? '') : bare;
}
