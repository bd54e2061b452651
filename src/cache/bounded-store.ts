/**
 * The Keyv store behind the in-memory page cache: least recently used out first, bounded by entries and by bytes, with an
 * index from resources and hosts to keys. Keyv's own serialiser must be off (`serialize: undefined`), so that what arrives here is
 * `{ value, expires }` with the page itself as the value and nothing is copied.
 */
import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import { decodeAddress, type ResourceAddress } from './page-address.js';
import type { CachedPage } from './page-cache.port.js';

/** What is kept for one key. */
export interface StoredPage {
  readonly page: CachedPage;
  /** Of the shared entry that it is a copy of; see shared-entries.port.ts. */
  readonly stamp?: string;
}

/** Keyv's envelope around a value. */
export interface Envelope {
  readonly value: StoredPage;
  readonly expires?: number;
}

/** Bookkeeping of one entry beyond its key and body: map slots, envelope, connection facts. */
const ENTRY_OVERHEAD_BYTES = 512;

/** A KeyvStoreAdapter; see the file's header. */
export class BoundedStore extends EventEmitter {
  /** Keyv reads `opts.url` of any store that has an iterator. */
  readonly opts = { url: '', dialect: 'bounded' };
  namespace: string | undefined;
  readonly #entries: LRUCache<string, Envelope>;
  readonly #keysByTag = new Map<string, Set<string>>();

  /** @param bounds entries and bytes, both at least 1; an entry larger than the byte bound is not kept. */
  constructor(bounds: { readonly maxEntries: number; readonly maxBytes: number }) {
    super();
    this.#entries = new LRUCache({
      max: bounds.maxEntries,
      maxSize: bounds.maxBytes,
      maxEntrySize: bounds.maxBytes,
      sizeCalculation: ({ value }, key) => value.page.constant.byteLength + 2 * key.length + ENTRY_OVERHEAD_BYTES,
      dispose: (_envelope, key) => this.#unindex(key),
    });
  }

  get(key: string): Envelope | undefined {
    return this.#entries.get(key);
  }

  set(key: string, envelope: Envelope, ttlMs?: number): true {
    this.#entries.set(key, envelope, ttlMs === undefined ? {} : { ttl: ttlMs });
    if (this.#entries.has(key)) this.#index(key);
    return true;
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#keysByTag.clear();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Deletes every window of the resource. */
  dropResource(at: ResourceAddress): void {
    this.#drop(resourceTag(at));
  }

  /** Deletes every page of the host and port. */
  dropHost(host: string): void {
    this.#drop(hostTag(host));
  }

  #drop(tag: string): void {
    for (const key of [...(this.#keysByTag.get(tag) ?? [])]) this.#entries.delete(key);
  }

  #index(key: string): void {
    for (const tag of tagsOf(key)) {
      const keys = this.#keysByTag.get(tag);
      if (keys) keys.add(key);
      else this.#keysByTag.set(tag, new Set([key]));
    }
  }

  #unindex(key: string): void {
    for (const tag of tagsOf(key)) {
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }
}

function tagsOf(key: string): [string, string] {
  const at = decodeAddress(key);
  return [resourceTag(at), hostTag(at.host)];
}

function resourceTag({ host, resource }: ResourceAddress): string {
  return `resource ${host} ${resource}`;
}

function hostTag(host: string): string {
  return `host ${host}`;
}
