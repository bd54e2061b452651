/** Identities in memory; passes the same port test as the store on disk. */
import { failure, type Failure } from '../../src/common/error-codes.js';
import { prefixedFingerprint } from '../../src/common/fingerprint.js';
import { isoInstant } from '../../src/common/request-info.js';
import { err, ok, type Result } from '../../src/common/result.js';
import { scopeKey, type IdentityRecord } from '../../src/cert/core/identity-record.js';
import type { Scope } from '../../src/cert/core/scope.js';
import type { KeyPairPem, MintedIdentity } from '../../src/cert/identity-minter.port.js';
import type { IdentityStore, IdentityStores, RemovedIdentity } from '../../src/cert/identity-store.port.js';

export class MemoryIdentityStore implements IdentityStore {
  #registry: ReadonlyMap<string, IdentityRecord> = new Map();
  readonly #keyPairs = new Map<string, KeyPairPem>();
  #made = 0;

  async readAll(): Promise<Result<ReadonlyMap<string, IdentityRecord>, Failure>> {
    return ok(this.#registry);
  }

  async isWritable(): Promise<boolean> {
    return true;
  }

  async isUsable({ keyId }: IdentityRecord): Promise<boolean> {
    return keyId !== null && this.#keyPairs.has(keyId);
  }

  async keyPair({ keyId }: IdentityRecord): Promise<Result<KeyPairPem | null, Failure>> {
    const keyPair = keyId === null ? undefined : this.#keyPairs.get(keyId);
    if (keyPair?.privateKeyPem === '') return err(failure('TLS_ERROR', 'unreadable'));
    return ok(keyPair ?? null);
  }

  async add(
    scope: Scope,
    minted: MintedIdentity,
    refuse: (registry: ReadonlyMap<string, IdentityRecord>) => Failure | null,
  ): Promise<Result<IdentityRecord, Failure>> {
    const refusal = refuse(this.#registry);
    if (refusal !== null) return err(refusal);
    const keyId = String(++this.#made).padStart(32, '0');
    const { host, port, path } = scope;
    const { fingerprint, subject, issuer, notBeforeMs, notAfterMs, certificatePem, privateKeyPem } = minted;
    const identity: IdentityRecord = {
      host,
      port,
      path,
      fingerprint: prefixedFingerprint(fingerprint),
      subject,
      issuer,
      notBefore: isoInstant(notBeforeMs),
      notAfter: isoInstant(notAfterMs),
      keyId,
      extra: {},
    };
    this.#registry = new Map([...this.#registry, [scopeKey(identity), identity]]);
    this.#keyPairs.set(keyId, { certificatePem, privateKeyPem });
    return ok(identity);
  }

  async remove(identity: IdentityRecord): Promise<Result<RemovedIdentity | null, Failure>> {
    const key = scopeKey(identity);
    if (this.#registry.get(key)?.fingerprint !== identity.fingerprint) return ok(null);
    this.#registry = new Map([...this.#registry].filter(([other]) => other !== key));
    this.loseFiles(identity);
    return ok({ keyRemains: false });
  }

  /** As when somebody deleted the files. */
  loseFiles({ keyId }: IdentityRecord): void {
    this.#keyPairs.delete(keyId ?? '');
  }

  /** As when the files cannot be read. */
  spoilFiles({ keyId }: IdentityRecord): void {
    this.#keyPairs.set(keyId ?? '', { certificatePem: '', privateKeyPem: '' });
  }
}

/** A store for each tenant: in memory, but for those that are given. */
export class MemoryIdentityStores implements IdentityStores {
  readonly #stores: Map<string, IdentityStore>;
  readonly all: IdentityStores['all'] = {
    readAll: async () => {
      const registries = await Promise.all([...this.#stores.values()].map((store) => store.readAll()));
      return ok({ size: registries.reduce((sum, one) => sum + (one.ok ? one.value.size : 0), 0) });
    },
    isWritable: async () => true,
  };

  constructor(given: Readonly<Record<string, IdentityStore>> = {}) {
    this.#stores = new Map(Object.entries(given));
  }

  of(tenant: string): IdentityStore {
    const store = this.#stores.get(tenant) ?? new MemoryIdentityStore();
    this.#stores.set(tenant, store);
    return store;
  }
}
