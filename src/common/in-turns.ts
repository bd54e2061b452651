import type { Clock } from './clock.port.js';
import type { Deadline } from './deadline.js';
import type { Steps } from './steps.js';
import { asError } from './thrown.js';

/** Longest run of one piece of work before others get their turn, milliseconds. */
const TURN_MS = 10;

/**
 * Runs `steps` to the end, a turn of the event loop at a time, so that a page of a million lines holds nobody up.
 *
 * @param deadline rejects with its reason when the caller has gone between two turns; that its time is up does not matter, as
 *   nothing here is wire time. Left out: the work is done to its end
 */
export async function inTurns<T>(steps: Steps<T>, clock: Clock, deadline?: Deadline): Promise<T> {
  let startedMs = clock.monotonicMs();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (clock.monotonicMs() - startedMs < TURN_MS) continue;
    await nextTurn(clock);
    if (deadline?.end === 'cancelled') throw asError(deadline.signal.reason);
    startedMs = clock.monotonicMs();
  }
}

/** Resolves when whatever waits for the event loop has had its turn. */
export function nextTurn(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(0, resolve);
  });
}
