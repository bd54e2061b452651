import type { Deadline } from './deadline.js';
import type { Failure } from './error-codes.js';
import { err, type Result } from './result.js';

/**
 * What comes first: the outcome, or the end of the deadline. What stands behind the outcome goes on.
 *
 * @param what for the failure: `Writing the pin of a.example`
 */
export async function orDeadline<T>(
  outcome: Promise<Result<T, Failure>>,
  deadline: Deadline | undefined,
  what: string,
): Promise<Result<T, Failure>> {
  if (deadline === undefined) return outcome;
  const { signal } = deadline;
  if (signal.aborted) return err(deadline.failure(what));
  let onAbort: () => void = () => undefined;
  const ended = new Promise<Result<T, Failure>>((resolve) => {
    onAbort = () => resolve(err(deadline.failure(what)));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([outcome, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
