import type { Result } from '../common/result.js';

/** Where the keys of an issuer are published. */
export interface JwksSource {
  /** The text of the key set, or what went wrong, for the log. Bounded in time and size; never rejects. */
  fetch(): Promise<Result<string, string>>;
}
