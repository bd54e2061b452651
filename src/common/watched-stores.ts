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
  /** Whether all replicas have the same one: its trouble is no reason to send calls to another replica. */
  readonly isShared: boolean;
}

/** See the file's header. Also its injection token. */
export class WatchedStores {
  readonly #stores: {
    readonly name: string;
    readonly store: WatchedStore;
    readonly isWritten: boolean;
    readonly isShared: boolean;
  }[] = [];

  /**
   * @param name for operators: `pins`
   * @param options.isWritten whether anything ever changes the store (default: yes); where nothing does, it may be read-only
   * @param options.isShared whether all replicas have the same one (default: no)
   */
  add(
    name: string,
    store: WatchedStore,
    { isWritten = true, isShared = false }: { readonly isWritten?: boolean; readonly isShared?: boolean } = {},
  ): void {
    this.#stores.push({ name, store, isWritten, isShared });
  }

  /** All stores, in the order in which they were added. */
  look(): Promise<readonly StoreState[]> {
    return Promise.all(
      this.#stores.map(async ({ name, store, isWritten, isShared }) => {
        const entries = await store.readAll();
        if (!entries.ok) return { name, entries: null, isUsable: false, isShared };
        const isUsable = !isWritten || (await store.isWritable());
        return { name, entries: entries.value.size, isUsable, isShared };
      }),
    );
  }
}
