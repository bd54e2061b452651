import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { ResolvedAddress } from './core/address-policy.js';

/** Turns host names into addresses. */
export interface DnsResolver {
  /**
   * All addresses of `host`, at least one, in the resolver's order. Nothing is remembered.
   *
   * DNS_ERROR when the name does not resolve; FETCH_ERROR, reason `timeout` or `cancelled`, when `deadline` ends first.
   */
  resolve(host: string, deadline: Deadline): Promise<Result<readonly ResolvedAddress[], Failure>>;
}

/** Injection token of {@link DnsResolver}. */
export const DnsResolver = Symbol('DnsResolver');
