/** The names and addresses of this machine alone. */
import { isIpLiteral } from './host.js';

/** Whether `host` (normalised) is `localhost`, in 127.0.0.0/8, or `::1`: what listens there is reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (host.startsWith('127.') && isIpLiteral(host) === 4);
}
