import type { Cache } from 'cache-manager';
import type { StoredPage } from './bounded-store.js';
import { encodeAddress, type PageAddress, type ResourceAddress } from './page-address.js';
import type { CachedPage, PageCache } from './page-cache.port.js';

/** What cache-manager has no words for: forgetting several pages at once. */
export interface Evictions {
  dropResource(at: ResourceAddress): void | Promise<void>;
  dropHost(host: string): void | Promise<void>;
}

/** {@link PageCache} over cache-manager and the store that it was built on. */
export class CacheManagerPageCache implements PageCache {
  readonly #cache: Cache;
  readonly #store: Evictions;

  constructor(cache: Cache, store: Evictions) {
    this.#cache = cache;
    this.#store = store;
  }

  async get(at: PageAddress): Promise<CachedPage | undefined> {
    const stored = await this.#cache.get<StoredPage>(encodeAddress(at));
    return stored?.page;
  }

  async set(at: PageAddress, page: CachedPage, ttlMs: number): Promise<void> {
    await this.#cache.set<StoredPage>(encodeAddress(at), { page }, ttlMs);
  }

  async dropResource(at: ResourceAddress): Promise<void> {
    await this.#store.dropResource(at);
  }

  async dropHost(host: string): Promise<void> {
    await this.#store.dropHost(host);
  }
}
