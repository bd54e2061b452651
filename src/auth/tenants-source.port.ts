import type { Result } from '../common/result.js';

/** Where the tenants are written down. */
export interface TenantsSource {
  /** The text as it is now; fails with a word or two for the operator, such as the system's `ENOENT`. */
  read(): Promise<Result<string, string>>;
}
