import type { Cache } from 'cache-manager';
import type { BoundedStore, StoredPage } from './bounded-store.js';
import type { CachedPage, PageCache } from './page-cache.port.js';

/** {@link PageCache} over cache-manager and the bounded in-memory store that it was built on. */
export class CacheManagerPageCache implements PageCache {
  readonly #cache: Cache;
  readonly #store: BoundedStore;

  constructor(cache: Cache, store: BoundedStore) {
    this.#cache = cache;
    this.#store = store;
  }

  async get(key: string): Promise<CachedPage | undefined> {
    const stored = await this.#cache.get<StoredPage>(key);
    return stored?.page;
  }

  async set(key: string, page: CachedPage, ttlMs: number, tags: readonly string[]): Promise<void> {
    await this.#cache.set<StoredPage>(key, { page, tags }, ttlMs);
  }

  dropTag(tag: string): Promise<void> {
    this.#store.dropTag(tag);
    return Promise.resolve();
  }

  async clear(): Promise<void> {
    await this.#cache.clear();
  }
}
