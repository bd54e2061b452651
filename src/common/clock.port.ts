import { asError } from './thrown.js';

/** Time as a dependency, so that tests advance it instead of sleeping. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. For instants that are stored or shown. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  monotonicMs(): number;
  /** Calls back once after `delayMs`; the function returned cancels it. */
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** Injection token of {@link Clock}. */
export const Clock = Symbol('Clock');

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(asError(signal.reason));
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(asError(signal.reason));
    };
    const cancel = clock.setTimer(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
