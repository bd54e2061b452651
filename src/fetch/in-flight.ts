import type { Clock } from '../common/clock.port.js';
import { Deadline } from '../common/deadline.js';
import { asError } from '../common/thrown.js';

interface Flight<T> {
  readonly outcome: Promise<T>;
  readonly controller: AbortController;
  participants: number;
}

/**
 * One download for all callers that ask for the same resource at the same moment. The download runs under a deadline of
 * its own and is aborted when the last of its callers has gone away.
 */
export class InFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Joins the flight of `resource`, or starts it with `work`.
   *
   * @param deadline the caller's; it gives a new flight its budget, and waiting for the flight is not charged to it again
   * @param fresh start a flight of one's own even if one is under way (a refresh must not see an older answer)
   * @returns what `work` gave; rejects with the deadline's reason when this caller goes away first
   */
  async share(
    resource: string,
    deadline: Deadline,
    fresh: boolean,
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const joined = fresh ? undefined : this.#flights.get(resource);
    const flight = joined ?? this.#start(resource, deadline, work);
    flight.participants++;
    try {
      return await deadline.paused(() => orAborted(flight.outcome, deadline.signal));
    } finally {
      if (--flight.participants === 0) {
        if (this.#flights.get(resource) === flight) this.#flights.delete(resource);
        flight.controller.abort();
      }
    }
  }

  #start(resource: string, { remainingMs, statedMs }: Deadline, work: (deadline: Deadline) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const own = new Deadline(this.#clock, Math.max(1, remainingMs), controller.signal, undefined, statedMs);
    const outcome = work(own).finally(() => {
      own.dispose();
      if (this.#flights.get(resource) === flight) this.#flights.delete(resource);
    });
    // Every caller may have gone; the outcome of a flight nobody waits for is nobody's error.
    outcome.catch(() => undefined);
    const flight: Flight<T> = { outcome, controller, participants: 0 };
    this.#flights.set(resource, flight);
    return flight;
  }
}

function orAborted<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(asError(signal.reason));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
