import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { IdentityRecord } from './core/identity-record.js';
import type { Scope } from './core/scope.js';
import type { KeyPairPem, MintedIdentity } from './identity-minter.port.js';

/** An identity that is no longer registered. */
export interface RemovedIdentity {
  /** Whether its private key could not be deleted. */
  readonly keyRemains: boolean;
}

/** Where identities are kept, shared with other processes. Unless said otherwise failures are CERTIFICATE_STORE_UNAVAILABLE. */
export interface IdentityStore {
  /** The registry as it is now, by key (`host:port/path`); the same map as long as nothing changed. */
  readAll(): Promise<Result<ReadonlyMap<string, IdentityRecord>, Failure>>;

  /** Whether a change could be written now; the answer may be some seconds old. Leaves no trace; never rejects. */
  isWritable(): Promise<boolean>;

  /** Whether the certificate and the key of an identity are there. */
  isUsable(identity: IdentityRecord): Promise<boolean>;

  /** Certificate and key; null when one of them is gone. TLS_ERROR when they are there and cannot be read. */
  keyPair(identity: IdentityRecord): Promise<Result<KeyPairPem | null, Failure>>;

  /**
   * Stores a new identity, certificate and key first, in place of what the registry has for that very scope.
   *
   * @param refuse decides on the registry at the moment of writing: a failure leaves nothing behind
   */
  add(
    scope: Scope,
    minted: MintedIdentity,
    refuse: (registry: ReadonlyMap<string, IdentityRecord>) => Failure | null,
  ): Promise<Result<IdentityRecord, Failure>>;

  /** Takes an identity off the registry, then destroys its key. Null when that very identity is not registered any more. */
  remove(identity: IdentityRecord): Promise<Result<RemovedIdentity | null, Failure>>;
}

/** Injection token of {@link IdentityStore}. */
export const IdentityStore = Symbol('IdentityStore');
