/**
 * The stores whose state decides whether this server is fit to serve. A domain adds its store where it wires it; health and metrics
 * look at all of them without knowing any.
 */
import type { Result } from './result.js';

/** What a store tells of itself. */
export interface WatchedStore {
  /** All entries; cheap when nothing changed. */
  readAll(): Promise<Result<{ readonly size: number }, unknown>>;
  /** Whether a change could be written now. Leaves no trace; never rejects. */
  isWritable(): Promise<boolean>;
}

/** A store at one moment. */
export interface StoreState {
  /** Such as `pins`. */
  readonly name: string;
  /** Null when the store cannot be read. */
  readonly entries: number | null;
  /** Whether it can be read, and written unless it never is. */
  readonly isUsable: boolean;
}

/** See the file's header. Also its injection token. */
export class WatchedStores {
  readonly #stores: { readonly name: string; readonly store: WatchedStore; readonly isWritten: boolean }[] = [];

  /**
   * @param name for operators: `pins`
   * @param options.isWritten whether anything ever changes the store (default: yes); where nothing does, it may be read-only
   */
  add(name: string, store: WatchedStore, { isWritten = true }: { readonly isWritten?: boolean } = {}): void {
    this.#stores.push({ name, store, isWritten });
  }

  /** All stores, in the order in which they were added. */
  look(): Promise<readonly StoreState[]> {
    return Promise.all(
      this.#stores.map(async ({ name, store, isWritten }) => {
        const entries = await store.readAll();
        if (!entries.ok) return { name, entries: null, isUsable: false };
        return { name, entries: entries.value.size, isUsable: !isWritten || (await store.isWritable()) };
      }),
    );
  }
}
