import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager';
import { Module, type DynamicModule, type InjectionToken } from '@nestjs/common';
import type { Cache } from 'cache-manager';
import { Keyv } from 'keyv';
import { BoundedStore } from './bounded-store.js';
import { CacheManagerPageCache } from './cache-manager-page-cache.js';
import { PageCache } from './page-cache.port.js';

/** Bounds of one page cache. */
export interface PageCacheBounds {
  /** Entries, 1..100000. */
  readonly maxEntries: number;
  /** Bytes of page bodies and keys, at least 1 MiB. */
  readonly maxBytes: number;
}

/** Wires one page cache for the module that imports it; each import is a cache of its own. */
@Module({})
export class PageCacheModule {
  /** @param bounds how the bounds are made from what `inject` names */
  static register<A extends readonly unknown[]>(bounds: {
    readonly inject: InjectionToken[];
    readonly useFactory: (...args: A) => PageCacheBounds;
  }): DynamicModule {
    const storeModule = BoundedStoreModule.register(bounds);
    return {
      module: PageCacheModule,
      imports: [
        storeModule,
        CacheModule.registerAsync({
          imports: [storeModule],
          inject: [BoundedStore],
          useFactory: (store: BoundedStore) => ({ stores: [keyvWithoutSerialiser(store)] }),
        }),
      ],
      providers: [
        {
          provide: PageCache,
          inject: [CACHE_MANAGER, BoundedStore],
          useFactory: (cache: Cache, store: BoundedStore) => new CacheManagerPageCache(cache, store),
        },
      ],
      exports: [PageCache],
    };
  }
}

@Module({})
class BoundedStoreModule {
  static register<A extends readonly unknown[]>(bounds: {
    readonly inject: InjectionToken[];
    readonly useFactory: (...args: A) => PageCacheBounds;
  }): DynamicModule {
    return {
      module: BoundedStoreModule,
      providers: [
        {
          provide: BoundedStore,
          inject: bounds.inject,
          useFactory: (...args: A) => new BoundedStore(bounds.useFactory(...args)),
        },
      ],
      exports: [BoundedStore],
    };
  }
}

/** Without a serialiser the store sees pages as they are: nothing is copied or re-parsed on a hit. */
function keyvWithoutSerialiser(store: BoundedStore): Keyv {
  const keyv = new Keyv({ store, useKeyPrefix: false });
  keyv.serialize = undefined;
  keyv.deserialize = undefined;
  return keyv;
}
