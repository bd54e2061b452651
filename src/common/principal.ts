/** Who a call is made for, and what that one may do. Every call has exactly one principal, from the transport down to the wire. */

/** What a caller may be allowed; a gateway hands them out, everybody else has all. */
export const SCOPES = ['smallweb:read', 'smallweb:trust', 'smallweb:identity'] as const;

/** `read`: fetch pages. `trust`: list and change pins. `identity`: list, make and remove client identities. */
export type Scope = (typeof SCOPES)[number];

/** Who is calling. */
export interface Principal {
  /** Owns client identities and quotas; of no other tenant anything is seen. */
  readonly tenant: string;
  /** The person or program within the tenant. */
  readonly subject: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The tenant of whoever needs not say who they are: its state is that of a server without tenants. */
export const LOCAL_TENANT = 'local';

/** Most characters of a tenant's name. */
export const MAX_TENANT_CHARS = 64;

/**
 * Whether `name` can be a tenant's: 1 to {@link MAX_TENANT_CHARS} lower-case letters, digits, `.`, `_`, `-`, a letter or digit at
 * both ends. So a name is always one harmless part of a path or of a key, and none differs from another by case alone.
 */
export function isTenantName(name: string): boolean {
  return name.length <= MAX_TENANT_CHARS && TENANT_NAME.test(name);
}

const TENANT_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;

/** The user of this machine: over stdio, and over HTTP where nobody is asked who they are. May do everything. */
export const LOCAL_PRINCIPAL: Principal = { tenant: LOCAL_TENANT, subject: 'local', scopes: new Set(SCOPES) };

/** Nobody: a request that is not known any more. May do nothing. */
export const NOBODY: Principal = { tenant: LOCAL_TENANT, subject: 'nobody', scopes: new Set() };
