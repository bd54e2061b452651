/**
 * One download for all replicas: who wants to download asks for the right to, and whoever comes second waits for what the first one
 * stores. A replica that dies while it downloads holds the others up for a few seconds; a download that gives nothing to store sends
 * each on its own way. Without Redis, everybody downloads.
 */
import { sleep, type Clock } from '../common/clock.port.js';
import type { FlightState, ResourceAddress, SharedEntries, SharedFlight } from '../cache/index.js';

/** Looks at another replica's download: often at first, as most take a fraction of a second. */
const FIRST_LOOK_MS = 15;
const LAST_LOOK_MS = 120;

/** A replica that has waited for so many downloads of others, each of which left nothing, goes ahead. */
export const MAX_WAITS = 2;

/** See the file's header. */
export class SharedDownloads {
  constructor(
    private readonly shared: SharedEntries,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the right to download, or waits while another replica has it.
   *
   * @param signal ends the wait; rejects with its reason
   * @param limitMs longest wait
   * @returns the right; `alone` when everybody may download; `look` when another one has just downloaded, so that what it stored is
   *   looked at first
   */
  async board(at: ResourceAddress, signal: AbortSignal, limitMs: number): Promise<SharedFlight | 'alone' | 'look'> {
    const flight = await this.shared.takeOff(at);
    if (flight === 'unknown') return 'alone';
    if (flight !== 'taken') return flight;
    return (await this.#untilOver(at, signal, limitMs)) === 'over' ? 'look' : 'alone';
  }

  async #untilOver(at: ResourceAddress, signal: AbortSignal, limitMs: number): Promise<FlightState> {
    const endMs = this.clock.monotonicMs() + limitMs;
    for (let delayMs = FIRST_LOOK_MS; ; delayMs = Math.min(delayMs * 2, LAST_LOOK_MS)) {
      await sleep(this.clock, delayMs, signal);
      const state = await this.shared.flightState(at);
      if (state !== 'flying' || this.clock.monotonicMs() >= endMs) return state;
    }
  }
}
