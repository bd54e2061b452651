/**
 * The list of hosts that may be contacted, checked before anything touches the network.
 *
 * An entry is a host name or address, matched exactly in its normalised form, or a domain written with a leading dot:
 * `.example.org` stands for every name below example.org and not for example.org itself, so a list can say either or
 * both. A dot entry never matches an address literal. An entry that cannot be a host matches nothing: it must not turn
 * a restriction into none.
 */
import { failure, type Failure } from '../../common/error-codes.js';
import { isIpLiteral, normalizeHost } from '../../common/net/host.js';

/** Settings of a {@link HostPolicy}. */
export interface HostPolicyOptions {
  /** The only hosts allowed; null = all. */
  readonly allowedHosts: readonly string[] | null;
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** See the file's header. */
export class HostPolicy {
  readonly #hosts = new Set<string>();
  readonly #domains = new Set<string>();
  readonly #restricted: boolean;
  readonly #variable: string;

  constructor({ allowedHosts, variablePrefix }: HostPolicyOptions) {
    this.#restricted = allowedHosts !== null;
    this.#variable = `${variablePrefix}ALLOWED_HOSTS`;
    for (const entry of allowedHosts ?? []) {
      const isDomain = entry.trim().startsWith('.');
      const host = normalizeHost(isDomain ? entry.trim().slice(1) : entry);
      if (host !== null) (isDomain ? this.#domains : this.#hosts).add(host);
    }
  }

  /**
   * Why `host` may not be contacted: INVALID_REQUEST, reason `host_not_allowed`; null when it may be.
   *
   * @param host normalised
   */
  check(host: string): Failure | null {
    if (!this.#restricted || this.#hosts.has(host) || this.#isBelowListedDomain(host)) return null;
    return failure('INVALID_REQUEST', `${host} is not among the hosts that ${this.#variable} lists.`, {
      reason: 'host_not_allowed',
      next_step: 'Do not retry: only the operator of this server can add the host to that list.',
    });
  }

  #isBelowListedDomain(host: string): boolean {
    if (this.#domains.size === 0 || isIpLiteral(host) !== 0) return false;
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      if (this.#domains.has(host.slice(dot + 1))) return true;
    }
    return false;
  }
}
