import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import { isIpLiteral } from '../common/net/host.js';
import { err, ok, type Result } from '../common/result.js';
import { checkAddresses, type AddressPolicy, type ResolvedAddress } from './core/address-policy.js';
import { checkPort, type PortPolicy } from './core/port-policy.js';
import type { DnsResolver } from './dns-resolver.port.js';
import type { VettedAddress } from './vetted-address.js';

/** Settings of an {@link AddressGuard}. */
export type AddressGuardOptions = AddressPolicy & PortPolicy;

/** Turns a host and a port into addresses that may be connected to. */
export class AddressGuard {
  constructor(
    private readonly options: AddressGuardOptions,
    private readonly resolver: DnsResolver,
  ) {}

  /**
   * The addresses of `host`, all of them judged, in the resolver's order. Whoever connects uses these and resolves
   * nothing again, so that a name cannot point elsewhere between check and use.
   *
   * BLOCKED, reason `port` (before any look-up) or `address_class`; DNS_ERROR; FETCH_ERROR, reason `timeout` or
   * `cancelled`, when `deadline` ends first.
   *
   * @param target `host` normalised, IPv6 without brackets; `port` 1..65535
   */
  async vet(
    { host, port }: { readonly host: string; readonly port: number },
    deadline: Deadline,
  ): Promise<Result<readonly VettedAddress[], Failure>> {
    const refusal = checkPort(host, port, this.options);
    if (refusal) return err(refusal);
    const resolved = await this.#addressesOf(host, deadline);
    return resolved.ok ? checkAddresses(host, resolved.value, this.options) : resolved;
  }

  async #addressesOf(host: string, deadline: Deadline): Promise<Result<readonly ResolvedAddress[], Failure>> {
    const family = isIpLiteral(host);
    return family === 0 ? this.resolver.resolve(host, deadline) : ok([{ address: host, family }]);
  }
}
