import type { Clock } from '../common/clock.port.js';
import { LruTtlCache } from '../common/lru-ttl-cache.js';
import type { ResourceAddress } from '../cache/index.js';
import type { ConnectionInfo, HeldDocument, IncompleteReason } from './protocol.port.js';

/** A decoded body kept because a window of it was cut: later windows are rendered from it without another download. */
export interface HeldBody<D extends HeldDocument> {
  readonly document: D;
  readonly incomplete: IncompleteReason | null;
  readonly connection: ConnectionInfo;
  /** When it was downloaded, epoch milliseconds. */
  readonly fetchedAtMs: number;
  /** Of the shared body that it is a copy of. */
  readonly stamp?: string;
}

/** Bodies of several resources. */
export interface BodyStore<D extends HeldDocument> {
  get(at: ResourceAddress): HeldBody<D> | undefined | Promise<HeldBody<D> | undefined>;
  hold(at: ResourceAddress, body: HeldBody<D>, ttlMs: number): void | Promise<void>;
  drop(at: ResourceAddress): void;
  /** Drops all bodies of one host and port. */
  dropHost(host: string): void;
}

/** Longest list of held bodies; their bytes are the bound that matters. */
const MAX_BODIES = 1024;

/** {@link BodyStore} in memory, least recently used out first, bounded by bytes. */
export class HeldBodies<D extends HeldDocument> implements BodyStore<D> {
  readonly #bodies: LruTtlCache<HeldBody<D>>;
  readonly #keysByHost = new Map<string, Set<string>>();

  /** @param maxBytes decoded bytes of all bodies together; a larger body is not held */
  constructor(options: { readonly maxBytes: number; readonly clock: Clock }) {
    this.#bodies = new LruTtlCache({ maxEntries: MAX_BODIES, maxBytes: options.maxBytes, clock: options.clock });
  }

  get(at: ResourceAddress): HeldBody<D> | undefined {
    return this.#bodies.get(keyOf(at));
  }

  hold(at: ResourceAddress, body: HeldBody<D>, ttlMs: number): void {
    const key = keyOf(at);
    this.#bodies.set(key, body, body.document.heldBytes, ttlMs);
    const keys = this.#keysByHost.get(at.host) ?? new Set();
    // What was evicted meanwhile is forgotten here, so that the index never outgrows the bodies.
    for (const known of keys) if (this.#bodies.get(known) === undefined) keys.delete(known);
    this.#keysByHost.set(at.host, keys.add(key));
  }

  drop(at: ResourceAddress): void {
    this.#bodies.delete(keyOf(at));
  }

  dropHost(host: string): void {
    for (const key of this.#keysByHost.get(host) ?? []) this.#bodies.delete(key);
    this.#keysByHost.delete(host);
  }
}

/** A host holds no space. */
function keyOf({ host, resource }: ResourceAddress): string {
  return `${host} ${resource}`;
}
