/** First come, first served places: a counting semaphore without clock or promises, so that each user adds its own wait. */

/** A place held, or a turn waited for. */
export interface SlotTicket {
  /** Whether the place was free at once. If not, the callback given to {@link SlotQueue.enter} tells when it is. */
  readonly granted: boolean;
  /** Gives the place back, or stops waiting for it; calls after the first do nothing. */
  readonly leave: () => void;
}

/** See the file's header. All operations take constant time. */
export class SlotQueue {
  // A Set keeps the order of arrival and lets a waiter leave from anywhere in it.
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  /** @param capacity places; 0 = as many as are asked for */
  constructor(private readonly capacity: number) {}

  /** Places that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Those who queue for one. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a place, or queues for one.
   *
   * @param onGranted called once when a queued place becomes free; never called when the ticket is granted at once, nor
   *   after {@link SlotTicket.leave}
   */
  enter(onGranted: () => void): SlotTicket {
    const granted = this.capacity === 0 || this.#taken < this.capacity;
    // A callback may be passed twice; what queues must be distinct.
    const turn = (): void => {
      onGranted();
    };
    if (granted) this.#taken++;
    else this.#waiting.add(turn);
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      if (!this.#waiting.delete(turn)) this.#release();
    };
    return { granted, leave };
  }

  /** Passes a place on to whoever waits longest: it stays taken, so that nobody new slips in between. */
  #release(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      next();
      return;
    }
    this.#taken--;
  }
}
