import type { JsonObject } from '../common/json.js';

/** A rendered window as it is kept: ready to send but for the stamp of the call. */
export interface CachedPage {
  readonly kind: string;
  /** When the body was downloaded, epoch milliseconds. */
  readonly fetchedAtMs: number;
  /** Facts of the connection it came over, for request_info. */
  readonly connection: JsonObject;
  /** Compact JSON of the constant members, without the outer braces. */
  readonly constant: Buffer;
}

/**
 * Pages by key, least recently used out first, bounded by entries and by bytes. Fails open: trouble in a store behind it
 * is a miss, never an error.
 */
export interface PageCache {
  /** The page, unless it is absent or older than its lifetime. */
  get(key: string): Promise<CachedPage | undefined>;
  /** Keeps a page for `ttlMs`; it goes earlier when one of its tags is dropped. */
  set(key: string, page: CachedPage, ttlMs: number, tags: readonly string[]): Promise<void>;
  /** Drops every page stored under this tag: all windows of one resource, all pages of one host. */
  dropTag(tag: string): Promise<void>;
  /** Drops everything. */
  clear(): Promise<void>;
}

/** Injection token of {@link PageCache}. */
export const PageCache = Symbol('PageCache');
