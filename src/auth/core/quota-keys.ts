/** Under which names use is counted. No two callers share a name by accident: what they choose of it stands apart from the rest. */
import { formatIp, parseIp } from '../../common/net/ip.js';
import { LOCAL_PRINCIPAL, type Principal } from '../../common/principal.js';

/** The name of a whole tenant. */
export function tenantKey({ tenant }: Principal): string {
  return `tenant:${tenant}`;
}

/**
 * The name of one caller. Who need not say who they are counts by the address that the call comes from.
 *
 * @param address IP address of the client; undefined over stdio
 */
export function subjectKey({ tenant, subject }: Principal, address: string | undefined): string {
  const isAnonymous = tenant === LOCAL_PRINCIPAL.tenant && subject === LOCAL_PRINCIPAL.subject;
  if (isAnonymous && address !== undefined) return `address:${networkOf(address)}`;
  return `subject:${JSON.stringify([tenant, subject])}`;
}

/**
 * The address, and of IPv6 the first 64 bits of it: those of one network are one customer's, who can use any of them. An IPv4 address
 * that comes in the clothes of IPv6 is itself.
 */
function networkOf(address: string): string {
  const parsed = parseIp(address);
  if (parsed === null || parsed.family === 4) return address;
  const { groups } = parsed;
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return formatIp({ family: 4, groups: groups.slice(6) });
  return `${formatIp({ family: 6, groups: [...groups.slice(0, 4), 0, 0, 0, 0] })}/64`;
}
