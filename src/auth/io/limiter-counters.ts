/** Counts with rate-limiter-flexible: in the memory of this process, or in Redis for all replicas together. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { QUOTA_WINDOW_SECONDS, type QuotaCounter, type Spending } from '../quota-counter.port.js';

/** Names that are counted apart in one window; the rest share one count, so that inventing names fills no memory. */
export const MAX_NAMES = 100_000;

/** The common name of those that came too late to be counted apart. */
const THE_REST = 'the rest';

/** What the limiter asks of Redis: to run its script. It is handed whole keys. */
export interface LimiterRedisClient {
  /** Whether it is worth trying. */
  readonly isReady: boolean;
  /** Gives the script's reply: the use so far, and the milliseconds that are left of the window. Rejects when there is none. */
  eval(
    source: string,
    options: { readonly keys: readonly string[]; readonly arguments: readonly string[] },
  ): Promise<readonly [number, number]>;
}

/** Makes the limiter of one limit. */
type MakeLimiter = (options: {
  readonly points: number;
  readonly duration: number;
  readonly keyPrefix: string;
}) => RateLimiterAbstract;

/** Counts in the memory of this process. */
export function memoryCounter(): QuotaCounter {
  return new LimiterCounter((options) => new RateLimiterMemory(options));
}

/**
 * Counts in Redis, for all replicas together. Where Redis is out of reach the memory of this process takes over, each replica for
 * itself, until it is back: a quota is no reason to refuse everybody.
 */
export function redisCounter(client: LimiterRedisClient): QuotaCounter {
  return new LimiterCounter(
    (options) =>
      new RateLimiterRedis({
        ...options,
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(options),
      }),
  );
}

/** A limiter knows one limit: there is one for each that is in use. */
class LimiterCounter implements QuotaCounter {
  readonly #limiters = new Map<number, RateLimiterAbstract>();
  readonly #names = new Set<string>();
  #namesSinceMs = 0;

  constructor(private readonly make: MakeLimiter) {}

  async spend(key: string, units: number, limit: number): Promise<Spending> {
    try {
      const { msBeforeNext } = await this.#limiter(limit).consume(this.#nameOf(key), units);
      return { isWithin: true, resetInMs: msBeforeNext };
    } catch (thrown) {
      // The limiter rejects with its verdict; anything else is trouble of its store, which stops no call.
      if (thrown instanceof RateLimiterRes) return { isWithin: false, resetInMs: thrown.msBeforeNext };
      return { isWithin: true, resetInMs: 0 };
    }
  }

  #limiter(points: number): RateLimiterAbstract {
    const known = this.#limiters.get(points);
    if (known) return known;
    const made = this.make({ points, duration: QUOTA_WINDOW_SECONDS, keyPrefix: '' });
    this.#limiters.set(points, made);
    return made;
  }

  #nameOf(key: string): string {
    const nowMs = Date.now();
    if (nowMs - this.#namesSinceMs >= QUOTA_WINDOW_SECONDS * 1000) {
      this.#names.clear();
      this.#namesSinceMs = nowMs;
    }
    if (this.#names.has(key)) return key;
    if (this.#names.size >= MAX_NAMES) return THE_REST;
    this.#names.add(key);
    return key;
  }
}
