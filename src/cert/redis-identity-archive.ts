import { randomBytes } from 'node:crypto';
import type { Failure } from '../common/error-codes.js';
import { ok, type Result } from '../common/result.js';
import { listOf, numberOf, textOf, type Redis, type RedisScript } from '../state/index.js';
import { decidePut, withOwnKeyId, type PutOutcome } from './core/decide-put.js';
import { fileStem, scopeKey, type IdentityRecord } from './core/identity-record.js';
import type { IdentityArchive, StoredIdentity } from './identity-archive.port.js';
import type { KeyPairPem } from './identity-minter.port.js';
import type { KeySealer } from './key-sealer.port.js';
import { additionOf, identitiesUnavailable, identityKeys, type RedisIdentityStore } from './redis-identity-store.js';
import { RedisIdentityStores } from './redis-identity-stores.js';

const REPLACE_KEY: RedisScript = {
  name: 'identity key replace',
  source: `if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`,
};

/** The identities of all tenants in Redis, as an operator handles them. */
export class RedisIdentityArchive implements IdentityArchive {
  readonly #stores: RedisIdentityStores;

  constructor(
    private readonly redis: Redis,
    private readonly sealer: KeySealer,
  ) {
    this.#stores = new RedisIdentityStores(redis, sealer);
  }

  tenants(): Promise<Result<readonly string[], Failure>> {
    return this.#stores.tenants();
  }

  async read(tenant: string): Promise<Result<readonly StoredIdentity[], Failure>> {
    const registry = await this.#storeOf(tenant).readAll();
    if (!registry.ok) return registry;
    const files = await this.#files(tenant);
    if (!files.ok) return files;
    const stored = Array.from(registry.value.values(), (record) => {
      const stem = fileStem(record);
      const file = (suffix: string): string | null => (stem === null ? null : (files.value.get(stem + suffix) ?? null));
      return { record, certificatePem: file('.crt'), storedKey: file('.key') };
    });
    return ok(stored);
  }

  async put(
    tenant: string,
    record: IdentityRecord,
    { certificatePem, privateKeyPem }: KeyPairPem,
    mayReplace: boolean,
  ): Promise<Result<PutOutcome, Failure>> {
    const store = this.#storeOf(tenant);
    const files = await this.#files(tenant);
    if (!files.ok) return files;
    const freshId = randomBytes(16).toString('hex');
    return store.change<PutOutcome>((registry) => {
      const current = registry.get(scopeKey(record));
      const stem = current === undefined ? null : fileStem(current);
      const isUsable = stem !== null && files.value.has(`${stem}.crt`) && files.value.has(`${stem}.key`);
      const outcome = decidePut(current, isUsable, record, mayReplace);
      if (outcome === 'unchanged' || outcome === 'differs') return { edits: null, value: outcome };
      const own = withOwnKeyId(record, registry, freshId);
      const sealed = { certificatePem, storedKey: this.sealer.seal(own.keyId, privateKeyPem) };
      return { edits: additionOf(own, own.keyId, sealed, registry), value: outcome };
    });
  }

  async keys(tenant: string): Promise<Result<ReadonlyMap<string, string>, Failure>> {
    const files = await this.#files(tenant);
    if (!files.ok) return files;
    const keys = new Map<string, string>();
    for (const [name, text] of files.value) if (name.endsWith('.key')) keys.set(name.slice(0, -'.key'.length), text);
    return ok(keys);
  }

  async replaceKey(tenant: string, stem: string, before: string, after: string): Promise<Result<boolean, Failure>> {
    const [, files] = identityKeys(this.redis, tenant);
    const replaced = await this.redis.patient.run(REPLACE_KEY, [files], [`${stem}.key`, before, after]);
    return replaced.ok ? ok(numberOf(replaced.value) === 1) : identitiesUnavailable(replaced.error);
  }

  /** By name: `<stem>.crt`, `<stem>.key`. */
  async #files(tenant: string): Promise<Result<ReadonlyMap<string, string>, Failure>> {
    const reply = await this.redis.patient.command('HGETALL', identityKeys(this.redis, tenant)[1]);
    if (!reply.ok) return identitiesUnavailable(reply.error);
    const fields = listOf(reply.value)?.map((field) => textOf(field) ?? '') ?? [];
    const files = new Map<string, string>();
    for (let i = 0; i < fields.length; i += 2) files.set(fields[i] ?? '', fields[i + 1] ?? '');
    return ok(files);
  }

  #storeOf(tenant: string): RedisIdentityStore {
    const store = this.#stores.storeOf(tenant);
    if (store === null) throw new TypeError('the name can be no tenant');
    return store;
  }
}
