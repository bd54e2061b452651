/**
 * The keys of an issuer, kept between requests and through an outage of the issuer.
 *
 * - Keys are fetched when they are first needed, and again after {@link FRESH_MS}, in the background: the known ones serve meanwhile.
 * - A key that is not known makes them be fetched at once, since issuers change their keys; but no sooner than
 *   {@link COOL_DOWN_MS} after the last try, whatever came of it: made-up key ids must not make this server hammer the issuer.
 * - When the issuer does not answer, the keys that it last gave serve on, for {@link KEPT_MS}: an outage ends no service, and yet a
 *   key that was withdrawn does not live for ever.
 */
import type { Clock } from '../common/clock.port.js';
import type { Result } from '../common/result.js';
import type { JwksSource } from './jwks-source.port.js';

/** Age at which keys are fetched again, in milliseconds. */
export const FRESH_MS = 600_000;

/** Least time between two tries, in milliseconds. */
export const COOL_DOWN_MS = 10_000;

/** Age at which keys count no longer, in milliseconds. */
export const KEPT_MS = 86_400_000;

/** What keeps the keys of an issuer up to date. `S` is a key set that was read. */
export class IssuerKeys<S> {
  #set: S | null = null;
  #text = '';
  #gotMs = -Infinity;
  #triedMs = -Infinity;
  #fetching: Promise<void> | null = null;

  /**
   * @param options.read makes a key set of its text; null when it is none
   * @param options.changed called when the keys are others than before
   * @param options.warn told why keys could not be had
   */
  constructor(
    private readonly options: {
      readonly source: JwksSource;
      readonly read: (text: string) => S | null;
      readonly clock: Clock;
      readonly changed: () => void;
      readonly warn: (reason: string) => void;
    },
  ) {}

  /** The keys as they are known; null when none are. Waits for the issuer only when there are none. */
  async current(): Promise<S | null> {
    const ageMs = this.#ageMs;
    if (this.#set === null || ageMs > KEPT_MS) await this.#fetch();
    else if (ageMs > FRESH_MS) void this.#fetch();
    return this.#ageMs > KEPT_MS ? null : this.#set;
  }

  /** Keys that are newer than `known`; null when there are none to be had, or not yet. */
  async newerThan(known: S): Promise<S | null> {
    if (this.#set === known) await this.#fetch();
    return this.#set === known ? null : this.#set;
  }

  /** Whether `set` is what is known now. */
  isCurrent(set: S): boolean {
    return this.#set === set;
  }

  get #ageMs(): number {
    return this.options.clock.monotonicMs() - this.#gotMs;
  }

  /** One try for all who want it; none within the cool-down. */
  #fetch(): Promise<void> {
    if (this.#fetching !== null) return this.#fetching;
    const nowMs = this.options.clock.monotonicMs();
    if (nowMs - this.#triedMs < COOL_DOWN_MS) return Promise.resolve();
    this.#triedMs = nowMs;
    this.#fetching = this.#refresh().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #refresh(): Promise<void> {
    const { source, read, clock, changed, warn } = this.options;
    const fetched: Result<string, string> = await source.fetch();
    if (!fetched.ok) return warn(fetched.error);
    if (fetched.value !== this.#text || this.#set === null) {
      const set = read(fetched.value);
      if (set === null) return warn('the answer is no set of keys');
      this.#set = set;
      this.#text = fetched.value;
      changed();
    }
    this.#gotMs = clock.monotonicMs();
  }
}
