/** Who a call is made for, and what that one may do. Every call has exactly one principal, from the transport down to the wire. */

import { SCOPES, type Scope } from './scope.js';
import type { TenantRules } from './tenant-rules.js';

export { SCOPES, type Scope } from './scope.js';

/** Who is calling. */
export interface Principal {
  /** Owns client identities and quotas; of no other tenant anything is seen. */
  readonly tenant: string;
  /** The person or program within the tenant. */
  readonly subject: string;
  /** What it may do; never more than the rules of its tenant allow. */
  readonly scopes: ReadonlySet<Scope>;
  /** What its tenant may use; undefined = whatever the deployment offers. */
  readonly rules?: TenantRules;
}

/** The tenant of whoever needs not say who they are: its state is that of a server without tenants. */
export const LOCAL_TENANT = 'local';

/** Most characters of a tenant's name. */
export const MAX_TENANT_CHARS = 64;

/**
 * Whether `name` can be a tenant's: 1 to {@link MAX_TENANT_CHARS} letters, digits, `.`, `_`, `-`, a letter or digit first. The one
 * rule for every place a name comes from and goes to; names that differ by case alone are two tenants.
 */
export function isTenantName(name: string): boolean {
  return name.length <= MAX_TENANT_CHARS && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
}

/** The user of this machine: over stdio, and over HTTP where nobody is asked who they are. May do everything. */
export const LOCAL_PRINCIPAL: Principal = { tenant: LOCAL_TENANT, subject: 'local', scopes: new Set(SCOPES) };

/** Nobody: a request that is not known any more. May do nothing. */
export const NOBODY: Principal = { tenant: LOCAL_TENANT, subject: 'nobody', scopes: new Set() };

/** Whether two principals are the same person or program, whatever each of them may do at the moment. */
export function isSameCaller(one: Principal, other: Principal): boolean {
  return one.tenant === other.tenant && one.subject === other.subject;
}
