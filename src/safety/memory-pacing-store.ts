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

  /** Notes a start that was decided elsewhere. */
  started(host: string, intervalMs: number): void {
    const nowMs = this.clock.monotonicMs();
    this.#keep(host, { ...(this.#paces.get(host) ?? UNPACED), nextOwnMs: nowMs + intervalMs }, nowMs);
  }

  /** How long our own spacing and a pause that the host asked for still hold, in milliseconds; 0 when they do not. */
  remaining(host: string): { readonly ownMs: number; readonly pauseMs: number } {
    const { nextOwnMs, nextHostMs } = this.#paces.get(host) ?? UNPACED;
    const nowMs = this.clock.monotonicMs();
    return { ownMs: Math.max(0, nextOwnMs - nowMs), pauseMs: Math.max(0, nextHostMs - nowMs) };
  }

  #keep(host: string, pace: HostPace, nowMs: number): void {
    if (isElapsed(pace, nowMs)) this.#paces.delete(host);
    else this.#paces.set(host, pace);
  }
}
