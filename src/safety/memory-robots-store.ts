import type { Clock } from '../common/clock.port.js';
import { LruTtlCache } from '../common/lru-ttl-cache.js';
import type { RobotsRules } from './core/robots-rules.js';
import type { RobotsPolicy, RobotsStore } from './robots-store.port.js';

const MAX_POLICIES = 10_000;

/** A robots.txt has 512,000 bytes at most; of such, a few dozen fit. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Policies kept in this process, the least recently used goes first. */
export class MemoryRobotsStore implements RobotsStore {
  readonly #policies: LruTtlCache<RobotsPolicy>;

  constructor(clock: Clock) {
    this.#policies = new LruTtlCache({ maxEntries: MAX_POLICIES, maxBytes: MAX_BYTES, clock });
  }

  get(key: string): Promise<RobotsPolicy | null> {
    return Promise.resolve(this.#policies.get(key) ?? null);
  }

  set(key: string, policy: RobotsPolicy): Promise<void> {
    // An expired policy still applies while the host cannot be asked, so nothing but room ends an entry.
    this.#policies.set(key, policy, key.length + sizeOf(policy.rules), Number.POSITIVE_INFINITY);
    return Promise.resolve();
  }

  /** There is no other process. */
  trouble(): Promise<null> {
    return Promise.resolve(null);
  }

  /** There is no other process. */
  setTrouble(): Promise<void> {
    return Promise.resolve();
  }
}

/** Memory of `rules`, about, in bytes: objects and strings have overheads that outweigh short texts. */
function sizeOf(rules: RobotsRules): number {
  let bytes = 128;
  for (const { parts } of rules) {
    bytes += 64;
    for (const part of parts) bytes += 24 + part.length;
  }
  return bytes;
}
