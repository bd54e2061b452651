import type { Deadline } from './deadline.js';
import type { Failure } from './error-codes.js';
import type { Result } from './result.js';

/**
 * A change that was checked but not made: between the check and the write there is room to ask a person.
 *
 * `done` needs no question, because nothing would change. `confirm` is a change about to happen: whoever asks shows
 * `question`, and calls `apply` only on a yes (or where nobody can be asked).
 */
export type Plan<T> =
  | { readonly kind: 'done'; readonly result: T }
  | {
      readonly kind: 'confirm';
      /** One or two sentences for a person; ours, naming exactly what would change. */
      readonly question: string;
      /** Makes the change if what was checked still holds. Waits for locks no longer than `deadline`, if given. */
      apply(deadline?: Deadline): Promise<Result<T, Failure>>;
    };
