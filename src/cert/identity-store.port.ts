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

/**
 * Where the identities of one tenant are kept, shared with other processes. Unless said otherwise failures are
 * CERTIFICATE_STORE_UNAVAILABLE.
 */
export interface IdentityStore {
  /**
   * Whether requests fail as well while the registry cannot be read. Otherwise they go on without an identity: a damaged file on this
   * machine does not get better by waiting, and most requests need none.
   */
  readonly failsClosed?: boolean;

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

/** The identities of all tenants. There is no way to a tenant's but by its name, and no store shows more than one tenant. */
export interface IdentityStores {
  /**
   * The store of a tenant; empty at first. LOCAL_TENANT's is that of a server without tenants, in its place and format.
   * A name that can be no tenant's (common/principal) has a store that is unavailable.
   */
  of(tenant: string): IdentityStore;

  /** All of them together, for health and metrics: how many identities there are, and whether a change could be written. */
  readonly all: Pick<IdentityStore, 'isWritable'> & {
    readAll(): Promise<Result<{ readonly size: number }, Failure>>;
  };
}

/** Injection token of {@link IdentityStores}. */
export const IdentityStores = Symbol('IdentityStores');
