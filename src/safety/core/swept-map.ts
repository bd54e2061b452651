/** Entries kept before the first sweep. */
const SWEEP_FLOOR = 1024;

/**
 * Bookkeeping per host that does not grow for ever: once it is past 1024 entries, those that no longer matter are
 * dropped. The next sweep comes when what was left has doubled, so a sweep is paid for by the entries added since.
 */
export class SweptMap<V> {
  readonly #entries = new Map<string, V>();
  #sweepAbove = SWEEP_FLOOR;

  /** @param isSpent whether an entry can be forgotten */
  constructor(private readonly isSpent: (value: V) => boolean) {}

  /** Entries held, spent ones that were not swept yet included. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#sweepAbove) return;
    for (const [held, entry] of this.#entries) if (this.isSpent(entry)) this.#entries.delete(held);
    this.#sweepAbove = Math.max(SWEEP_FLOOR, this.#entries.size * 2);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
