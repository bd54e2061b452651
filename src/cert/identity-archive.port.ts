import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { PutOutcome } from './core/decide-put.js';
import type { IdentityRecord } from './core/identity-record.js';
import type { KeyPairPem } from './identity-minter.port.js';

/** An identity with what is stored for it. */
export interface StoredIdentity {
  readonly record: IdentityRecord;
  /** Null: it is gone. */
  readonly certificatePem: string | null;
  /** As it is stored, sealed or plain; null: it is gone. */
  readonly storedKey: string | null;
}

/**
 * The identities of all tenants as an operator handles them: moved between stores, and sealed with another key. No request comes here.
 * All failures are CERTIFICATE_STORE_UNAVAILABLE.
 */
export interface IdentityArchive {
  /** Who has identities, or had some; sorted. */
  tenants(): Promise<Result<readonly string[], Failure>>;

  /** All that a tenant has. */
  read(tenant: string): Promise<Result<readonly StoredIdentity[], Failure>>;

  /**
   * Registers an identity with all its members, its key sealed as new keys are. Its key id is kept unless another identity has it.
   *
   * @param mayReplace whether it may take the place of another identity for the same scope
   */
  put(
    tenant: string,
    record: IdentityRecord,
    keyPair: KeyPairPem,
    mayReplace: boolean,
  ): Promise<Result<PutOutcome, Failure>>;

  /** The private keys of a tenant as they are stored, registered or not, by file stem. */
  keys(tenant: string): Promise<Result<ReadonlyMap<string, string>, Failure>>;

  /** Puts `after` in the place of `before` in one step; false when that is not what is stored any more. */
  replaceKey(tenant: string, stem: string, before: string, after: string): Promise<Result<boolean, Failure>>;
}

/** Opens the archive of the stores in use. */
export type OpenIdentityArchive = () => Promise<Result<IdentityArchive, Failure>>;

/** Injection token of {@link OpenIdentityArchive}: what it opens is loaded only then. */
export const OpenIdentityArchive = Symbol('OpenIdentityArchive');
