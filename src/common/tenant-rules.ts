/**
 * What a tenant may use of what the deployment offers. Rules narrow and never widen: the deployment's own are asked first, and
 * nothing that they refuse is allowed here.
 */
import type { Failure } from './error-codes.js';
import type { Scope } from './scope.js';

/** See the file's header. */
export interface TenantRules {
  /** What any principal of the tenant may have at most. */
  readonly scopes: ReadonlySet<Scope>;
  /** Names of the only tools; null = all. */
  readonly tools: ReadonlySet<string> | null;
  /** By lowercase scheme; where a protocol is missing, every host that the deployment allows. */
  readonly hosts: ReadonlyMap<string, TenantHosts>;
  readonly quotas: TenantLimits;
}

/** The hosts of one protocol that a tenant may contact. */
export interface TenantHosts {
  /** Hosts, and domains with a leading dot; null = all that are not denied. */
  readonly allowed: readonly string[] | null;
  /** Never contacted, whatever is allowed; null = none. */
  readonly denied: readonly string[] | null;
  /**
   * Why `host` may not be contacted: INVALID_REQUEST, reason `host_not_allowed`; null when it may be.
   *
   * @param host normalised
   */
  check(host: string): Failure | null;
}

/** How much of the service a tenant gets; what is null is left to the deployment's settings. */
export interface TenantLimits {
  /** For all callers of the tenant together. */
  readonly tenant: CallLimits;
  /** For each of its callers. */
  readonly subject: CallLimits;
}

/** How much may be asked for. */
export interface CallLimits {
  /** Pages in a minute, at least 1. */
  readonly requestsPerMinute: number | null;
  /** Calls at the same time, at least 1. */
  readonly concurrent: number | null;
}
