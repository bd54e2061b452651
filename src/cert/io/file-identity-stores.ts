/**
 * The identities of all tenants in one folder: LOCAL_TENANT's in the folder itself, as without tenants, every other tenant's in
 * `tenants/<folder>` (core/tenant-folder), in the same format. A name that can be no tenant's has no store.
 */
import { join } from 'node:path';
import type { Failure } from '../../common/error-codes.js';
import { LOCAL_TENANT } from '../../common/principal.js';
import { ok, type Result } from '../../common/result.js';
import { nodeFileSystem } from '../../file-store/index.js';
import { tenantFolder, tenantOfFolder } from '../core/tenant-folder.js';
import type { IdentityStore, IdentityStores } from '../identity-store.port.js';
import { FileIdentityStore, type FileIdentityStoreOptions } from './file-identity-store.js';

/** Stores kept open; another one costs a look at its files. */
export const KEPT_STORES = 1024;

/** Where the folders of the other tenants lie. */
export const TENANTS_FOLDER = 'tenants';

/** See the file's header. */
export class FileIdentityStores implements IdentityStores {
  readonly all: IdentityStores['all'] = { readAll: () => this.#countAll(), isWritable: () => this.#local.isWritable() };
  readonly #options: FileIdentityStoreOptions;
  readonly #local: IdentityStore;
  /** Of the other tenants, least recently used first. */
  readonly #stores = new Map<string, IdentityStore>();
  readonly #tenantsFolder: string;

  /**
   * @param options of the local tenant's store; `directory` is the folder of all
   * @param nowhere the store of what can be no tenant
   */
  constructor(
    options: FileIdentityStoreOptions,
    private readonly nowhere: IdentityStore,
  ) {
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
    const folder = tenantFolder(tenant);
    if (folder === null) return this.nowhere;
    const store = new FileIdentityStore({
      ...this.#options,
      directory: join(this.#tenantsFolder, folder),
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
      const tenant = tenantOfFolder(name);
      // The local tenant's identities do not lie there.
      if (tenant === null || tenant === LOCAL_TENANT) continue;
      const registry = await this.of(tenant).readAll();
      if (registry.ok) size += registry.value.size;
    }
    return ok({ size });
  }
}
