/**
 * The identities of all tenants in one folder: LOCAL_TENANT's in the folder itself, as without tenants, every other tenant's in
 * `tenants/<name>`, in the same format. A name is one harmless part of a path (common/principal), or there is no store.
 */
import { join } from 'node:path';
import type { Failure } from '../../common/error-codes.js';
import { failure } from '../../common/error-codes.js';
import { isTenantName, LOCAL_TENANT } from '../../common/principal.js';
import { ok, type Result } from '../../common/result.js';
import { nodeFileSystem } from '../../file-store/index.js';
import type { IdentityStore, IdentityStores } from '../identity-store.port.js';
import { UnavailableIdentityStore } from '../unavailable-identity-store.js';
import { FileIdentityStore, type FileIdentityStoreOptions } from './file-identity-store.js';

/** Stores kept open; another one costs a look at its files. */
export const KEPT_STORES = 1024;

const TENANTS_FOLDER = 'tenants';

const NO_TENANT = failure('CERTIFICATE_STORE_UNAVAILABLE', 'There is no place for the identities of this tenant.', {
  next_step: 'This is a local problem, retrying does not help: ask the operator for a tenant name in the allowed form.',
});

/** See the file's header. */
export class FileIdentityStores implements IdentityStores {
  readonly all = { readAll: () => this.#countAll(), isWritable: () => this.#local.isWritable() };
  readonly #options: FileIdentityStoreOptions;
  readonly #local: IdentityStore;
  /** Of the other tenants, least recently used first. */
  readonly #stores = new Map<string, IdentityStore>();
  readonly #tenantsFolder: string;

  /** @param options of the local tenant's store; `directory` is the folder of all */
  constructor(options: FileIdentityStoreOptions) {
    this.#options = options;
    this.#local = new FileIdentityStore(options);
    this.#tenantsFolder = join(options.directory, TENANTS_FOLDER);
  }

  of(tenant: string): IdentityStore {
    if (tenant === LOCAL_TENANT) return this.#local;
    const kept = this.#stores.get(tenant);
    if (kept !== undefined) {
      this.#stores.delete(tenant);
      this.#stores.set(tenant, kept);
      return kept;
    }
    if (!isTenantName(tenant)) return new UnavailableIdentityStore(NO_TENANT);
    const store = new FileIdentityStore({
      ...this.#options,
      directory: join(this.#tenantsFolder, tenant),
      enclosing: [this.#options.directory, this.#tenantsFolder],
    });
    this.#stores.set(tenant, store);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > KEPT_STORES && oldest !== undefined) this.#stores.delete(oldest);
    return store;
  }

  /** A tenant's registry that cannot be read is that tenant's trouble: it counts nothing, and the others' stay usable. */
  async #countAll(): Promise<Result<{ readonly size: number }, Failure>> {
    const local = await this.#local.readAll();
    if (!local.ok) return local;
    const { fs = nodeFileSystem } = this.#options;
    const names = await fs.readdir(this.#tenantsFolder).catch(() => []);
    let size = local.value.size;
    for (const name of names) {
      // The local tenant's identities do not lie there.
      if (!isTenantName(name) || name === LOCAL_TENANT) continue;
      const registry = await this.of(name).readAll();
      if (registry.ok) size += registry.value.size;
    }
    return ok({ size });
  }
}
