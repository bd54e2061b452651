/** How a wait ends with its signal. */
import { DeadlineError } from '../../common/deadline.js';
import { failure, type Failure } from '../../common/error-codes.js';

/** What a caller is told whose wait ended by its signal: FETCH_ERROR, reason `timeout` or `cancelled`. */
export function abortedFailure(signal: AbortSignal, what: string): Failure {
  const reason: unknown = signal.reason;
  return reason instanceof DeadlineError && reason.end === 'expired'
    ? failure('FETCH_ERROR', `${what} took longer than the time for this fetch.`, { reason: 'timeout' })
    : failure('FETCH_ERROR', `${what} was cancelled by the caller.`, { reason: 'cancelled' });
}

/** What `work` gives, or undefined as soon as `signal` aborts; the work itself goes on unwatched. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      resolve(undefined);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
