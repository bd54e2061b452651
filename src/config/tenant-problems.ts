/** What the settings of tenants need of the others. */
import { isAuthOn } from './auth-problems.js';
import type { AuthConfig } from './auth.config.js';
import type { ConfigProblem } from './config-problem.js';
import type { GatewayConfig } from './gateway.config.js';
import type { TenantsConfig } from './tenants.config.js';

/** A file of tenants where nobody is asked who they are would look like a restriction and be none. */
export function tenantProblems(
  { tenantsFile }: TenantsConfig,
  auth: AuthConfig,
  { transport }: GatewayConfig,
): ConfigProblem[] {
  if (tenantsFile === null || transport === 'stdio' || isAuthOn(auth)) return [];
  const requirement = 'must be used with GOPHER_MCP_AUTH=api-key, jwt or both: who is not asked has no tenant';
  return [{ name: 'GOPHER_MCP_TENANTS_FILE', requirement, rejected: null }];
}
