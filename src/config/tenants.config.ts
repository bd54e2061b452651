/** Settings of what tenants share and what sets them apart: variables `GOPHER_MCP_*`. */
import { boolean, path } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Effective settings of tenants, and their injection token. They matter on HTTP with authentication only. */
export class TenantsConfig {
  @Setting(
    path(),
    'JSON file of the tenants: what each may use of what this server offers. A tenant that is not in it is refused. Looked at again every second. Unset = every tenant may use all that the scopes of its callers allow.',
  )
  readonly tenantsFile: string | null = null;

  @Setting(
    boolean(),
    'Whether pages that were fetched without a client identity are cached for all tenants together. That saves requests; and `cached` then tells one tenant that another has read a page. Off = each tenant has its own copies.',
  )
  readonly sharedCache: boolean = false;
}
