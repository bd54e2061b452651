/** Counts with rate-limiter-flexible: in the memory of this process, or in Redis for all replicas together. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { QUOTA_WINDOW_SECONDS, type QuotaCounter, type Spending } from '../quota-counter.port.js';

/** Names that are counted apart in one window; the rest share one count, so that inventing names fills no memory. */
export const MAX_NAMES = 100_000;

/** The common name of those that came too late to be counted apart. */
const THE_REST = 'the rest';

/** A client of node-redis, connected or not. */
export type LimiterRedisClient = object & { readonly isReady: boolean };

/** Makes the limiter of one limit. */
type MakeLimiter = (options: { readonly points: number; readonly duration: number }) => RateLimiterAbstract;

/** Counts in the memory of this process. */
export function memoryCounter(): QuotaCounter {
  return new LimiterCounter((options) => new RateLimiterMemory(options), MAX_NAMES);
}

/**
 * Counts in Redis, for all replicas together. Where Redis is out of reach the memory of this process takes over, each replica for
 * itself, until it is back: a quota is no reason to refuse everybody.
 *
 * @param keyPrefix start of all keys; the limiter puts a colon behind it
 */
export function redisCounter(client: LimiterRedisClient, keyPrefix: string): QuotaCounter {
  return new LimiterCounter(
    (options) =>
      new RateLimiterRedis({
        ...options,
        keyPrefix,
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ ...options, keyPrefix }),
      }),
    Infinity,
  );
}

/** A limiter knows one limit: there is one for each that is in use. */
class LimiterCounter implements QuotaCounter {
  readonly #limiters = new Map<number, RateLimiterAbstract>();
  readonly #names = new Set<string>();
  #namesSinceMs = 0;

  constructor(
    private readonly make: MakeLimiter,
    private readonly maxNames: number,
  ) {}

  async spend(key: string, units: number, limit: number): Promise<Spending> {
    try {
      const { msBeforeNext } = await this.#limiter(limit).consume(this.#nameOf(key), units);
      return { isWithin: true, resetInMs: msBeforeNext };
    } catch (thrown) {
      // The limiter rejects with its verdict; anything else is trouble of its store, which does not stop a call.
      if (thrown instanceof RateLimiterRes) return { isWithin: false, resetInMs: thrown.msBeforeNext };
      return { isWithin: true, resetInMs: 0 };
    }
  }

  #limiter(points: number): RateLimiterAbstract {
    const known = this.#limiters.get(points);
    if (known) return known;
    const made = this.make({ points, duration: QUOTA_WINDOW_SECONDS });
    this.#limiters.set(points, made);
    return made;
  }

  #nameOf(key: string): string {
    if (this.maxNames === Infinity) return key;
    const nowMs = Date.now();
    if (nowMs - this.#namesSinceMs >= QUOTA_WINDOW_SECONDS * 1000) {
      this.#names.clear();
      this.#namesSinceMs = nowMs;
    }
    if (this.#names.has(key)) return key;
    if (this.#names.size >= this.maxNames) return THE_REST;
    this.#names.add(key);
    return key;
  }
}
