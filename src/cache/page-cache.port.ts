import type { JsonObject } from '../common/json.js';
import type { PageAddress, ResourceAddress } from './page-address.js';

/** A rendered window as it is kept: ready to send but for the stamp of the call. */
export interface CachedPage {
  readonly kind: string;
  /** When the body was downloaded, epoch milliseconds. Pages of one resource with the same instant are of one download. */
  readonly fetchedAtMs: number;
  /** Facts of the connection it came over, for request_info. */
  readonly connection: JsonObject;
  /** Compact JSON of the constant members, without the outer braces. */
  readonly constant: Buffer;
}

/**
 * Pages by address, least recently used out first, bounded by entries and by bytes. Fails open: trouble in a store behind it
 * is a miss, never an error.
 */
export interface PageCache {
  /** The page, unless it is absent or older than its lifetime. */
  get(at: PageAddress): Promise<CachedPage | undefined>;
  /** Keeps a page for `ttlMs`; it goes earlier when its resource or its host is dropped. */
  set(at: PageAddress, page: CachedPage, ttlMs: number): Promise<void>;
  /** Drops all windows of a resource. */
  dropResource(at: ResourceAddress): Promise<void>;
  /** Drops all pages of a host and port. */
  dropHost(host: string): Promise<void>;
}

/** Injection token of {@link PageCache}. */
export const PageCache = Symbol('PageCache');
