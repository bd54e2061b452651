/**
 * When the next request to a host may start.
 *
 * Two instants are kept apart: the earliest start that our own spacing allows, and the end of a pause that the host
 * asked for. A request starts when both have passed, and then moves the first one an interval ahead. Nothing is reserved
 * for requests that wait: they stand in line (host-pacer.ts), only the first of them is let go, and a pause that comes up
 * meanwhile holds for all of them. So starts are an interval apart whatever happens, and a refused or cancelled request
 * costs nobody anything.
 */

/** What is known of one host. Times are milliseconds on the clock of whoever keeps it. */
export interface HostPace {
  /** Earliest start that our own spacing allows. */
  readonly nextOwnMs: number;
  /** End of the pause that the host asked for. */
  readonly nextHostMs: number;
}

/** The pace of a host that holds nobody back. */
export const UNPACED: HostPace = { nextOwnMs: Number.NEGATIVE_INFINITY, nextHostMs: Number.NEGATIVE_INFINITY };

/** One request that would like to start. Durations only, so that the keeper of a {@link HostPace} may have a clock of its own. */
export interface PaceRequest {
  /** Least time between two starts; 0 = no spacing of our own. */
  readonly intervalMs: number;
  /** Requests to the same host that stand in line before this one; only with 0 it may start. */
  readonly ahead: number;
  /** Requests of this process that stand in line at the host, this one included; 1 when left out. */
  readonly standing?: number;
  /** How long this request has waited already; 0 on arrival. */
  readonly waitedMs: number;
  /** Whether it was told to wait before: it is then not refused for our own spacing any more. */
  readonly admitted: boolean;
  /** Longest wait that our own spacing may cause, as estimated on arrival. */
  readonly maxOwnWaitMs: number;
  /** Longest pause asked for by the host that is waited out. */
  readonly maxHostWaitMs: number;
}

/** What becomes of a {@link PaceRequest}. */
export type PaceDecision =
  | { readonly kind: 'start' }
  /** Ask again after so long: something else may have come up by then. */
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** It would wait too long: for our own spacing, or because the host asked for it. */
  | { readonly kind: 'refuse'; readonly reason: 'own_pacing' | 'host_asked'; readonly retryAfterMs: number };

/**
 * Decides on `request`, and gives the pace to keep from then on.
 *
 * Refused for our own spacing is who would wait longer than `maxOwnWaitMs` when it arrives; later it is not, because the
 * line before it only gets shorter and timers that come late are no reason to throw away a wait. Refused for the host is
 * who meets a pause of more than `maxHostWaitMs`, or one that would stretch the whole wait beyond both limits.
 */
export function decideStart(
  pace: HostPace,
  request: PaceRequest,
  nowMs: number,
): { readonly decision: PaceDecision; readonly pace: HostPace } {
  const { intervalMs, ahead, waitedMs, admitted, maxOwnWaitMs, maxHostWaitMs } = request;
  const hostFreeMs = Math.max(nowMs, pace.nextHostMs);
  const startMs = Math.max(hostFreeMs, pace.nextOwnMs) + ahead * intervalMs;
  const waitMs = startMs - nowMs;
  const pauseMs = hostFreeMs - nowMs;
  const keep = (decision: PaceDecision): { decision: PaceDecision; pace: HostPace } => ({ decision, pace });

  if (pauseMs > maxHostWaitMs || (pauseMs > 0 && waitedMs + pauseMs > Math.max(maxHostWaitMs, maxOwnWaitMs))) {
    return keep({ kind: 'refuse', reason: 'host_asked', retryAfterMs: waitMs });
  }
  if (!admitted && startMs > hostFreeMs && waitMs > maxOwnWaitMs) {
    return keep({ kind: 'refuse', reason: 'own_pacing', retryAfterMs: waitMs });
  }
  if (ahead > 0 || waitMs > 0) return keep({ kind: 'wait', waitMs });
  return { decision: { kind: 'start' }, pace: { ...pace, nextOwnMs: nowMs + intervalMs } };
}

/** The pace after the host asked for `pauseMs` from now on; a pause never ends earlier than one asked for before. */
export function extendPause(pace: HostPace, pauseMs: number, nowMs: number): HostPace {
  return pauseMs > 0 ? { ...pace, nextHostMs: Math.max(pace.nextHostMs, nowMs + pauseMs) } : pace;
}

/** Whether `pace` holds nobody back any more, so that it can be forgotten. */
export function isElapsed({ nextOwnMs, nextHostMs }: HostPace, nowMs: number): boolean {
  return nextOwnMs <= nowMs && nextHostMs <= nowMs;
}
