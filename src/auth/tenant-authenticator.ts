import type { Principal } from '../common/principal.js';
import type { Result } from '../common/result.js';
import type { Authenticator } from './authenticator.port.js';
import type { AuthRefusal } from './core/auth-refusal.js';
import type { Credential } from './core/credentials.js';
import type { Tenants } from './tenants.js';

/** Lets in whom another authenticator knows, as far as the tenant is served and with what it may use. */
export class TenantAuthenticator implements Authenticator {
  constructor(
    private readonly inner: Authenticator,
    private readonly tenants: Pick<Tenants, 'admit'>,
  ) {}

  async authenticate(credential: Credential): Promise<Result<Principal, AuthRefusal>> {
    const principal = await this.inner.authenticate(credential);
    return principal.ok ? this.tenants.admit(principal.value) : principal;
  }
}
