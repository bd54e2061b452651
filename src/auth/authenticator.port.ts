import type { Principal } from '../common/principal.js';
import type { Result } from '../common/result.js';
import type { AuthRefusal } from './core/auth-refusal.js';
import type { Credential } from './core/credentials.js';

/** Finds out who presents a credential. */
export interface Authenticator {
  /**
   * The principal behind `credential`; with no scopes when what it may do is none of ours. Refuses with `invalid` what is not, or
   * no longer, good, and with `unavailable` what cannot be judged now. Never rejects.
   */
  authenticate(credential: Credential): Promise<Result<Principal, AuthRefusal>>;
}

/** Injection token of {@link Authenticator}; what stands behind it is null where nobody is asked who they are. */
export const Authenticator = Symbol('Authenticator');
