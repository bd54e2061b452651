import type { Failure } from '../common/error-codes.js';
import { isTenantName } from '../common/principal.js';
import { ok, type Result } from '../common/result.js';
import { listOf, numberOf, textOf, type Redis } from '../state/index.js';
import { noTenantFailure } from './core/identity-messages.js';
import type { IdentityStore, IdentityStores } from './identity-store.port.js';
import type { KeySealer } from './key-sealer.port.js';
import { identitiesUnavailable, identityKeys, RedisIdentityStore } from './redis-identity-store.js';
import { UnavailableIdentityStore } from './unavailable-identity-store.js';

/** Stores kept open; another one costs one reading of its registry. */
const KEPT_STORES = 1024;

/** The identities of all tenants in Redis, and a set that names the tenants which have, or had, some. */
export class RedisIdentityStores implements IdentityStores {
  readonly all: IdentityStores['all'] = {
    readAll: () => this.#countAll(),
    isWritable: () => Promise.resolve(this.redis.vitals.trouble === null),
  };
  /** Least recently used first. */
  readonly #stores = new Map<string, RedisIdentityStore>();

  constructor(
    private readonly redis: Redis,
    private readonly sealer: KeySealer,
  ) {}

  of(tenant: string): IdentityStore {
    return this.storeOf(tenant) ?? new UnavailableIdentityStore(noTenantFailure());
  }

  /** The store of a tenant; null when the name can be none's. */
  storeOf(tenant: string): RedisIdentityStore | null {
    if (!isTenantName(tenant)) return null;
    const kept = this.#stores.get(tenant);
    this.#stores.delete(tenant);
    const store = kept ?? this.#open(tenant);
    this.#stores.set(tenant, store);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > KEPT_STORES && oldest !== undefined) this.#stores.delete(oldest);
    return store;
  }

  /** Those that have, or had, identities; sorted. */
  async tenants(): Promise<Result<readonly string[], Failure>> {
    const reply = await this.redis.patient.command('SMEMBERS', this.#tenantsKey());
    if (!reply.ok) return identitiesUnavailable(reply.error);
    const names = (listOf(reply.value) ?? []).map(textOf).filter((name) => name !== undefined);
    return ok(names.filter(isTenantName).sort());
  }

  #open(tenant: string): RedisIdentityStore {
    const { redis, sealer } = this;
    const announce = () => redis.patient.command('SADD', this.#tenantsKey(), tenant);
    return new RedisIdentityStore({ redis, tenant, sealer, announce });
  }

  #tenantsKey(): string {
    return this.redis.key('identity-tenants', 'all');
  }

  async #countAll(): Promise<Result<{ readonly size: number }, Failure>> {
    const tenants = await this.tenants();
    if (!tenants.ok) return tenants;
    const lengths = await Promise.all(
      tenants.value.map((tenant) => this.redis.patient.command('HLEN', identityKeys(this.redis, tenant)[0])),
    );
    let size = 0;
    for (const length of lengths) {
      if (!length.ok) return identitiesUnavailable(length.error);
      // One field is the version.
      size += Math.max(0, (numberOf(length.value) ?? 0) - 1);
    }
    return ok({ size });
  }
}
