import type { Clock } from '../common/clock.port.js';
import { LruTtlCache } from '../common/lru-ttl-cache.js';
import type { ConnectionInfo, HeldDocument, IncompleteReason } from './protocol.port.js';

/** A decoded body kept because a window of it was cut: later windows are rendered from it without another download. */
export interface HeldBody<D extends HeldDocument> {
  readonly document: D;
  readonly incomplete: IncompleteReason | null;
  readonly connection: ConnectionInfo;
  /** When it was downloaded, epoch milliseconds. */
  readonly fetchedAtMs: number;
}

/** Longest list of held bodies; their bytes are the bound that matters. */
const MAX_BODIES = 1024;

/** Bodies of several resources, least recently used out first, bounded by bytes. */
export class HeldBodies<D extends HeldDocument> {
  readonly #bodies: LruTtlCache<HeldBody<D>>;
  readonly #resourcesByHost = new Map<string, Set<string>>();

  /** @param maxBytes decoded bytes of all bodies together; a larger body is not held */
  constructor(options: { readonly maxBytes: number; readonly clock: Clock }) {
    this.#bodies = new LruTtlCache({ maxEntries: MAX_BODIES, maxBytes: options.maxBytes, clock: options.clock });
  }

  get(resource: string): HeldBody<D> | undefined {
    return this.#bodies.get(resource);
  }

  hold(resource: string, hostTag: string, body: HeldBody<D>, ttlMs: number): void {
    this.#bodies.set(resource, body, body.document.heldBytes, ttlMs);
    const resources = this.#resourcesByHost.get(hostTag) ?? new Set();
    // What was evicted meanwhile is forgotten here, so that the index never outgrows the bodies.
    for (const known of resources) if (this.#bodies.get(known) === undefined) resources.delete(known);
    this.#resourcesByHost.set(hostTag, resources.add(resource));
  }

  drop(resource: string): void {
    this.#bodies.delete(resource);
  }

  /** Drops all bodies of one host and port. */
  dropHost(hostTag: string): void {
    for (const resource of this.#resourcesByHost.get(hostTag) ?? []) this.#bodies.delete(resource);
    this.#resourcesByHost.delete(hostTag);
  }

  clear(): void {
    this.#bodies.clear();
    this.#resourcesByHost.clear();
  }
}
