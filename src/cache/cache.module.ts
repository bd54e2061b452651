import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager';
import { Module, type DynamicModule, type InjectionToken } from '@nestjs/common';
import type { Cache } from 'cache-manager';
import { Keyv } from 'keyv';
import { Clock } from '../common/clock.port.js';
import { Redis } from '../state/index.js';
import { BoundedStore } from './bounded-store.js';
import { CacheManagerPageCache } from './cache-manager-page-cache.js';
import { PageCache } from './page-cache.port.js';
import { SharedEntries } from './shared-entries.port.js';
import type { SharedPageStore } from './shared-page-store.js';

/** Bounds of one page cache. */
export interface PageCacheBounds {
  /** Entries, 1..100000. */
  readonly maxEntries: number;
  /** Bytes of page bodies and keys, at least 1 MiB. */
  readonly maxBytes: number;
}

/** How one page cache is made. */
export interface PageCacheOptions<A extends readonly unknown[]> {
  /** Whose pages they are; replicas share those of the same protocol. */
  readonly protocol: string;
  readonly inject: InjectionToken[];
  /** The bounds, made from what `inject` names. */
  readonly useFactory: (...args: A) => PageCacheBounds;
}

type PageStore = BoundedStore | SharedPageStore;

/** What the cache is built on: memory, and behind it what replicas share. */
const PageStore = Symbol('PageStore');

/**
 * Wires one page cache for the module that imports it; each import is a cache of its own. Beside {@link PageCache} it offers
 * {@link SharedEntries}.
 */
@Module({})
export class PageCacheModule {
  static register<A extends readonly unknown[]>(options: PageCacheOptions<A>): DynamicModule {
    const storeModule = PageStoreModule.register(options);
    return {
      module: PageCacheModule,
      imports: [
        storeModule,
        CacheModule.registerAsync({
          imports: [storeModule],
          inject: [PageStore],
          useFactory: (store: PageStore) => ({ stores: [keyvWithoutSerialiser(store)] }),
        }),
      ],
      providers: [
        {
          provide: PageCache,
          inject: [CACHE_MANAGER, PageStore],
          useFactory: (cache: Cache, store: PageStore) => new CacheManagerPageCache(cache, store),
        },
      ],
      exports: [PageCache, storeModule],
    };
  }
}

@Module({})
class PageStoreModule {
  static register<A extends readonly unknown[]>({ protocol, inject, useFactory }: PageCacheOptions<A>): DynamicModule {
    return {
      module: PageStoreModule,
      providers: [
        {
          provide: BoundedStore,
          inject,
          useFactory: (...args: A) => new BoundedStore(useFactory(...args)),
        },
        {
          provide: SharedEntries,
          inject: [{ token: Redis, optional: true }, Clock],
          useFactory: async (redis: Redis | null | undefined, clock: Clock): Promise<SharedEntries | null> => {
            if (!redis) return null;
            const { RedisSharedEntries } = await import('./redis-shared-entries.js');
            return new RedisSharedEntries(redis, clock, protocol);
          },
        },
        {
          provide: PageStore,
          inject: [BoundedStore, SharedEntries],
          useFactory: async (own: BoundedStore, shared: SharedEntries | null): Promise<PageStore> => {
            if (!shared) return own;
            const { SharedPageStore } = await import('./shared-page-store.js');
            return new SharedPageStore(shared, own);
          },
        },
      ],
      exports: [PageStore, SharedEntries],
    };
  }
}

/** Without a serialiser the store sees pages as they are: nothing is copied or re-parsed on a hit. */
function keyvWithoutSerialiser(store: PageStore): Keyv {
  const keyv = new Keyv({ store, useKeyPrefix: false });
  keyv.serialize = undefined;
  keyv.deserialize = undefined;
  return keyv;
}
