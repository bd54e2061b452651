import type { Principal } from '../common/principal.js';
import { err, type Result } from '../common/result.js';
import type { Authenticator } from './authenticator.port.js';
import { authRefusal, type AuthRefusal } from './core/auth-refusal.js';
import type { Credential } from './core/credentials.js';

/** Hands each credential to the authenticator for its kind; a kind that is not configured is refused. */
export class CredentialRouter implements Authenticator {
  constructor(private readonly byKind: Readonly<Partial<Record<Credential['kind'], Authenticator>>>) {}

  authenticate(credential: Credential): Promise<Result<Principal, AuthRefusal>> {
    return this.byKind[credential.kind]?.authenticate(credential) ?? NOT_TAKEN;
  }
}

const NOT_TAKEN = Promise.resolve(err(authRefusal('invalid', 'Credentials of this kind are not taken here.')));
