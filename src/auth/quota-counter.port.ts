/** Time that a limit is for, in seconds. */
export const QUOTA_WINDOW_SECONDS = 60;

/** What became of an attempt to use something up. */
export interface Spending {
  /** Whether it was within the limit. */
  readonly isWithin: boolean;
  /** Milliseconds until the count starts anew. */
  readonly resetInMs: number;
}

/** Counts what is used under a name, in windows of {@link QUOTA_WINDOW_SECONDS} that start with the first use. */
export interface QuotaCounter {
  /**
   * Uses `units` up, which are at most `limit`. Never rejects: where a shared count is out of reach, one of this process goes on.
   *
   * @param limit the most that may be used in a window
   */
  spend(key: string, units: number, limit: number): Promise<Spending>;
}
