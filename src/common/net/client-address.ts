import { parseIp } from './ip.js';

/** A request over HTTP: `ip` is what trusted proxies say of its client, or the peer where there are none. */
export interface AddressedRequest {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The IP address of a client. Where a proxy passes on what is no address, the proxy's own: nobody counts as nobody, and nothing
 * else gets into records as an address. A port that a proxy writes behind it is dropped.
 */
export function clientAddress({ ip, socket }: AddressedRequest): string {
  if (isAddress(ip)) return ip;
  const bare = /^\[?([0-9a-f.:]{2,45}?)\]?:[0-9]{1,5}$/i.exec(ip)?.[1] ?? '';
  return isAddress(bare) ? bare : (socket.remoteAddress ?? '');
}

/** A zone says something of this machine only, and what stands in one is free text. */
function isAddress(text: string): boolean {
  return !text.includes('%') && parseIp(text) !== null;
}
