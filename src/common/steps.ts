/**
 * Long work that can be interrupted: a generator that yields wherever a pause does no harm, and returns its result. It knows
 * neither clock nor event loop; whoever runs it decides when to pause (in-turns.ts), or runs it through ({@link finish}).
 *
 * A yield costs some tens of nanoseconds, so loops yield once in {@link STRIDE} rounds.
 */

/** Work with a result of type `T`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Rounds of a loop between two yields: well under a millisecond of work on lines or items of ordinary length. */
export const STRIDE = 256;

/** Whether something that may come at once or in steps comes in steps. */
export function isSteps<T extends object>(result: T | Steps<T>): result is Steps<T> {
  return Symbol.iterator in result;
}

/** Runs `steps` without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
