import type { PaceDecision, PaceRequest } from './core/pacing-schedule.js';

/**
 * Keeps the pace of each host for one protocol: in this process, or shared by all replicas. Durations only cross this
 * port, so that an adapter may go by a clock of its own. It never rejects: an adapter that loses its backing store falls
 * back to spacing of its own.
 */
export interface PacingStore {
  /**
   * Decides on one request, and on `start` moves the host's next start ahead, both in one atomic step. Nothing is
   * reserved on `wait` or `refuse`.
   *
   * @param host normalised
   */
  reserve(host: string, request: PaceRequest): Promise<PaceDecision>;

  /** Nothing starts at `host` for `pauseMs` from now on, 0..300,000; a longer pause in force stays. */
  penalise(host: string, pauseMs: number): Promise<void>;
}

/** Injection token of {@link PacingStore}. */
export const PacingStore = Symbol('PacingStore');
