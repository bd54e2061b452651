/** From the claims of a token whose signature, issuer, audience and times are good to whom it stands for. */
import { isTenantName, type Principal } from '../../common/principal.js';
import { err, ok, type Result } from '../../common/result.js';
import { DEFAULT_TENANT, isSubjectName, knownScopes } from './names.js';

/**
 * The principal of a token, or what is wrong with it. Scopes are those of `scope` (RFC 9068, 2.2.3) and `scp`, a text with blanks
 * or an array.
 *
 * @param tenantClaim claim that names the tenant; null = all are the tenant {@link DEFAULT_TENANT}
 */
export function principalOfClaims(
  claims: Readonly<Record<string, unknown>>,
  tenantClaim: string | null,
): Result<Principal, string> {
  const { sub, scope, scp, cnf } = claims;
  // RFC 7800: the token is good only together with a key that was not asked for here.
  if (cnf !== undefined) return err('The access token is bound to a key of its client, which is not supported.');
  if (typeof sub !== 'string' || !isSubjectName(sub)) return err('The access token names no usable subject.');
  const tenant = tenantClaim === null ? DEFAULT_TENANT : own(claims, tenantClaim);
  if (typeof tenant !== 'string' || !isTenantName(tenant)) return err('The access token names no usable tenant.');
  return ok({ tenant, subject: sub, scopes: knownScopes([...words(scope), ...words(scp)]) });
}

/**
 * Whether the header of a token says that it is something else than an access token, such as a logout token, although the same
 * server signed it (RFC 8725, 3.11). Most servers say nothing, or `JWT`.
 */
export function isForeignType(type: unknown): boolean {
  if (type === undefined) return false;
  return typeof type !== 'string' || !ACCESS_TOKEN_TYPES.has(type.toLowerCase().replace(/^application\//, ''));
}

const ACCESS_TOKEN_TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

function own(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function words(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ');
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.filter((item) => typeof item === 'string');
}
