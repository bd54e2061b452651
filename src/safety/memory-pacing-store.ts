import type { Clock } from '../common/clock.port.js';
import {
  decideStart,
  extendPause,
  isElapsed,
  UNPACED,
  type HostPace,
  type PaceDecision,
  type PaceRequest,
} from './core/pacing-schedule.js';
import { SweptMap } from './core/swept-map.js';
import type { PacingStore } from './pacing-store.port.js';

/** Paces kept in this process. A decision awaits nothing, hence it is atomic. */
export class MemoryPacingStore implements PacingStore {
  readonly #paces: SweptMap<HostPace>;

  constructor(private readonly clock: Clock) {
    this.#paces = new SweptMap((pace) => isElapsed(pace, clock.monotonicMs()));
  }

  /** Hosts that are kept account of. */
  get size(): number {
    return this.#paces.size;
  }

  reserve(host: string, request: PaceRequest): Promise<PaceDecision> {
    const nowMs = this.clock.monotonicMs();
    const { decision, pace } = decideStart(this.#paces.get(host) ?? UNPACED, request, nowMs);
    this.#keep(host, pace, nowMs);
    return Promise.resolve(decision);
  }

  penalise(host: string, pauseMs: number): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    this.#keep(host, extendPause(this.#paces.get(host) ?? UNPACED, pauseMs, nowMs), nowMs);
    return Promise.resolve();
  }

  #keep(host: string, pace: HostPace, nowMs: number): void {
    if (isElapsed(pace, nowMs)) this.#paces.delete(host);
    else this.#paces.set(host, pace);
  }
}
