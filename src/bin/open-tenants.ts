import { Tenants, TenantsFileSource, type TenantProblem } from '../auth/index.js';
import { SystemClock } from '../clock/system-clock.js';
import { err, ok, type Result } from '../common/result.js';
import { parseAllowedHost, type ConfigProblem } from '../config/index.js';
import type { Log } from '../logging/index.js';
import { TEMPLATE_TABLE } from '../mcp/template-table.js';
import { TOOL_TABLE } from '../mcp/tool-table.js';

/** Reads the tenants in the file at `path`, the value of GOPHER_MCP_TENANTS_FILE. Fails with every mistake in it. */
export async function openTenants(path: string, log: Log): Promise<Result<Tenants, readonly ConfigProblem[]>> {
  const tenants = await Tenants.open({
    source: new TenantsFileSource(path),
    terms: {
      protocols: TEMPLATE_TABLE.map(({ scheme }) => scheme),
      toolNames: TOOL_TABLE.map(({ name }) => name),
      parseHost: parseAllowedHost,
    },
    clock: new SystemClock(),
    warn: (problems) => log.error('tenants not read anew', { problems: problems.map(line) }),
  });
  return tenants.ok ? ok(tenants.value) : err(tenants.error.map(asConfigProblem));
}

function asConfigProblem({ field, requirement }: TenantProblem): ConfigProblem {
  const place = field === '' ? '' : `: ${field}`;
  return { name: `GOPHER_MCP_TENANTS_FILE${place}`, requirement, rejected: null };
}

function line({ field, requirement }: TenantProblem): string {
  return field === '' ? requirement : `${field}: ${requirement}`;
}
