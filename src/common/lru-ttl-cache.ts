/**
 * A bounded in-memory cache: at most so many entries and so many bytes, the least recently used goes first, and an
 * entry lives no longer than its own lifetime.
 *
 * Expired entries go when they are asked for or when room is needed; no timer runs. Lifetimes are measured on the
 * monotonic clock, so a jump of the wall clock neither revives nor kills an entry.
 */
import type { Clock } from './clock.port.js';

/** Bounds of a {@link LruTtlCache}. A bound of 0 stores nothing. */
export interface LruTtlCacheOptions {
  readonly maxEntries: number;
  /** Sum of the sizes given to {@link LruTtlCache.set}. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
  /** Monotonic milliseconds. */
  readonly expiresAtMs: number;
}

/** See the file's header. All operations take constant time, apart from evictions, each paid for by an earlier `set`. */
export class LruTtlCache<V> {
  // A Map iterates in insertion order: re-inserting on use keeps the least recently used entry first.
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  #bytes = 0;

  constructor({ maxEntries, maxBytes, clock }: LruTtlCacheOptions) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  /** Entries held, expired ones that nobody asked for included. */
  get size(): number {
    return this.#entries.size;
  }

  /** Bytes held, as told to {@link set}. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The live value under `key`, now the most recently used; undefined when there is none or it has expired. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#clock.monotonicMs() > entry.expiresAtMs) {
      this.delete(key);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /**
   * Stores `value` for `ttlMs` milliseconds in place of what was under `key`, and evicts until both bounds hold. A value
   * larger than the whole cache is not stored; nor is one with a lifetime of zero or less.
   *
   * @param bytes what the value is charged with
   */
  set(key: string, value: V, bytes: number, ttlMs: number): void {
    this.delete(key);
    if (bytes > this.#maxBytes || this.#maxEntries < 1 || ttlMs <= 0) return;
    this.#entries.set(key, { value, bytes, expiresAtMs: this.#clock.monotonicMs() + ttlMs });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= this.#maxEntries) break;
      this.delete(oldest);
    }
  }

  /** Forgets `key`; whether there was something to forget. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    return this.#entries.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
