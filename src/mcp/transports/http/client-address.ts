/**
 * Whose address a request counts for, in quotas, in the audit and in the access log. Only what a trusted proxy says of it counts:
 * X-Forwarded-For is read from its end, past the proxies that are trusted, to the first address that is not. What stands before
 * that, and the header of anybody else, may be made up. Forwarded hosts and schemes are not read at all: the Host check looks at
 * what arrives.
 */
import { cidrReaches, parseCidr } from '../../../common/net/ip.js';

export { clientAddress } from '../../../common/net/client-address.js';

/** For Fastify's `trustProxy`: whether an address is that of a trusted proxy; false when there are none. @param networks CIDR */
export function trustedProxies(networks: readonly string[]): false | ((address: string) => boolean) {
  const trusted = networks.map(parseCidr).filter((network) => network !== null);
  return trusted.length > 0 && ((address) => trusted.some((network) => cidrReaches(network, address)));
}
