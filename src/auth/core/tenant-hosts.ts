import { failure, type Failure } from '../../common/error-codes.js';
import { HostList } from '../../common/net/host-list.js';
import type { TenantHosts } from '../../common/tenant-rules.js';

/** The hosts of one protocol that one tenant may contact. A host that is both allowed and denied is denied. */
export class ListedHosts implements TenantHosts {
  readonly #allowed: HostList | null;
  readonly #denied: HostList;

  /** Entries as in {@link HostList}; null = no such list. */
  constructor(
    readonly allowed: readonly string[] | null,
    readonly denied: readonly string[] | null,
  ) {
    this.#allowed = allowed === null ? null : new HostList(allowed);
    this.#denied = new HostList(denied ?? []);
  }

  check(host: string): Failure | null {
    if ((this.#allowed?.has(host) ?? true) && !this.#denied.has(host)) return null;
    return failure('INVALID_REQUEST', `${host} is not among the hosts that this tenant may contact.`, {
      reason: 'host_not_allowed',
      next_step: 'Do not retry: only the operator of this server can change what the tenant may contact.',
    });
  }
}
