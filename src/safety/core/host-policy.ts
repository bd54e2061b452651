/**
 * The list of hosts that may be contacted (common/net/host-list), checked before anything touches the network. An entry that
 * cannot be a host matches nothing: it must not turn a restriction into none.
 */
import { failure, type Failure } from '../../common/error-codes.js';
import { HostList } from '../../common/net/host-list.js';

/** Settings of a {@link HostPolicy}. */
export interface HostPolicyOptions {
  /** The only hosts allowed; null = all. */
  readonly allowedHosts: readonly string[] | null;
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** See the file's header. */
export class HostPolicy {
  readonly #allowed: HostList | null;
  readonly #variable: string;

  constructor({ allowedHosts, variablePrefix }: HostPolicyOptions) {
    this.#allowed = allowedHosts === null ? null : new HostList(allowedHosts);
    this.#variable = `${variablePrefix}ALLOWED_HOSTS`;
  }

  /**
   * Why `host` may not be contacted: INVALID_REQUEST, reason `host_not_allowed`; null when it may be.
   *
   * @param host normalised
   */
  check(host: string): Failure | null {
    if (this.#allowed === null || this.#allowed.has(host)) return null;
    return failure('INVALID_REQUEST', `${host} is not among the hosts that ${this.#variable} lists.`, {
      reason: 'host_not_allowed',
      next_step: 'Do not retry: only the operator of this server can add the host to that list.',
    });
  }
}
