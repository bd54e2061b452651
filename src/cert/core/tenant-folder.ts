/**
 * Names of tenants as names of folders, one for one. File systems may take `A` and `a` for the same and drop a dot at the end, so
 * these are written with a sign that no tenant's name has: `Acme.` is `+acme=`.
 */
import { isTenantName } from '../../common/principal.js';

/** The folder of a tenant; null when `tenant` can be no tenant's name. */
export function tenantFolder(tenant: string): string | null {
  if (!isTenantName(tenant)) return null;
  return tenant.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`).replaceAll('.', '=');
}

/** The tenant whose folder is called `folder`; null when it is no tenant's. */
export function tenantOfFolder(folder: string): string | null {
  const tenant = folder.replaceAll('=', '.').replace(/\+([a-z])/g, (_sign, letter: string) => letter.toUpperCase());
  return tenantFolder(tenant) === folder ? tenant : null;
}
