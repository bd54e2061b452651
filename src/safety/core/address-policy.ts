/**
 * Which addresses may be connected to. Judged are the addresses a name resolved to, never the name, so that a name which
 * points inside is caught whatever it is called.
 *
 * For one address, the first rule that applies decides:
 *
 *   1. in a denied network                                              -> refused
 *   2. in an allowed network                                            -> allowed, local or not
 *   3. of a class that is not public, unless local hosts are allowed    -> refused
 *   4. serves credentials of cloud machines, whether or not they are    -> refused
 *
 * Allowed networks are exceptions to the class table and restrict nothing: public addresses stay open beside them, as
 * the lists of hosts and ports are there to restrict. Rules 1, 3 and 4 see through IPv6 forms that wrap an IPv4 address;
 * an allowed network holds for the address as it stands.
 *
 * One refused address refuses the whole host. A name that answers with public and inside addresses together is either
 * misconfigured or made to get past a check; dropping the bad ones and going on would hide that from the caller.
 */
import { fail, type Failure } from '../../common/error-codes.js';
import {
  cidrContains,
  cidrReaches,
  classifyAddress,
  parseCidr,
  type AddressClass,
  type Cidr,
} from '../../common/net/ip.js';
import { ok, type Result } from '../../common/result.js';

/** An address a name resolved to, not judged yet. */
export interface ResolvedAddress {
  /** IPv4 dotted or IPv6 text, no brackets. */
  readonly address: string;
  readonly family: 4 | 6;
}

/** The address rules of one protocol. */
export interface AddressPolicy {
  /** Skips the class table; nothing else. */
  readonly allowLocalHosts: boolean;
  readonly allowedNetworks: readonly Cidr[];
  readonly deniedNetworks: readonly Cidr[];
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** Why one address is refused. */
export type AddressRefusal = AddressClass | 'denied-network' | 'cloud-metadata';

/**
 * Where machines of the big clouds read their own credentials. Most lie in the link-local or a private block; the last
 * one does not look special at all.
 */
const METADATA_NETWORKS: readonly Cidr[] = [
  '169.254.169.254', // AWS, Azure, Google Cloud, Oracle, DigitalOcean, OpenStack
  '169.254.170.2', // AWS ECS tasks
  '169.254.170.23', // AWS EKS pod identity
  'fd00:ec2::254', // AWS over IPv6
  'fd00:ec2::23', // AWS EKS pod identity over IPv6
  'fd20:ce::254', // Google Cloud over IPv6
  'fe80::a9fe:a9fe', // OpenStack over IPv6
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure's platform endpoint
].flatMap((address) => parseCidr(address) ?? []);

/** Why `address` may not be connected to; null when it may. */
export function judgeAddress({ address, family }: ResolvedAddress, policy: AddressPolicy): AddressRefusal | null {
  if (policy.deniedNetworks.some((cidr) => cidrReaches(cidr, address))) return 'denied-network';
  if (policy.allowedNetworks.some((cidr) => cidrContains(cidr, address))) return null;
  const addressClass = policy.allowLocalHosts ? null : classifyAddress(address, family);
  if (addressClass !== null) return addressClass;
  return METADATA_NETWORKS.some((cidr) => cidrReaches(cidr, address)) ? 'cloud-metadata' : null;
}

/**
 * The addresses of `host`, all of them judged fit; else BLOCKED, reason `address_class`. The message names the host and
 * the class; the address itself is in `cause`, for the log.
 */
export function checkAddresses<A extends ResolvedAddress>(
  host: string,
  addresses: readonly A[],
  policy: AddressPolicy,
): Result<readonly A[], Failure> {
  for (const resolved of addresses) {
    const refusal = judgeAddress(resolved, policy);
    if (refusal === null) continue;
    return fail(
      'BLOCKED',
      `${host} ${describe(refusal, policy.variablePrefix)}`,
      {
        reason: 'address_class',
        next_step: 'Do not retry under another spelling: only the operator of this server can allow such addresses.',
      },
      { address: resolved.address, refusal },
    );
  }
  return ok(addresses);
}

function describe(refusal: AddressRefusal, variablePrefix: string): string {
  if (refusal === 'denied-network') return `has an address in a network that ${variablePrefix}DENIED_NETWORKS lists.`;
  if (refusal === 'cloud-metadata') return 'has the address of a cloud metadata service, which is not fetched from.';
  return `has a ${refusal} address, which is not fetched from.`;
}
