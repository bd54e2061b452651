/**
 * Ends an HTTP server so that no call is lost:
 *
 *   1  it says that it is not ready, and serves on: a balancer that asks needs a moment to learn of it
 *   2  it takes no new connections, and finishes the calls that run
 *   3  what still runs when the time is up is cut off
 *
 * The first part is left out where nothing has ever asked whether the server is ready, or would not be told: nobody would notice.
 */
import type { Clock } from '../common/clock.port.js';
import type { DrainState } from '../health/index.js';
import type { Log } from '../logging/index.js';

/** Longest time of the first part, in milliseconds; it is half of the whole at most. */
export const NOTICE_MS = 10_000;

/** How often it is looked whether calls still run, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** A server that can be drained. */
export interface DrainableServer {
  readonly state: DrainState;
  /** Calls that run. */
  inFlight(): number;
  /** Takes no new connections from now on. */
  stopListening(): void;
  /** Ends every connection, and with it the calls that run. */
  cutOff(): void;
}

/** How to drain. */
export interface DrainOptions {
  /** Milliseconds for all of it. */
  readonly drainMs: number;
  /** Whether to give notice: not when a person waits for the end at a terminal. */
  readonly giveNotice: boolean;
}

/** See the file's header. Resolves when no call runs any more. */
export async function drain(
  server: DrainableServer,
  { drainMs, giveNotice }: DrainOptions,
  clock: Clock,
  log: Log,
): Promise<void> {
  const endMs = clock.monotonicMs() + drainMs;
  const noticeMs = giveNotice && server.state.isWatched ? Math.min(drainMs / 2, NOTICE_MS) : 0;
  server.state.begin();
  log.info('draining', { calls: server.inFlight(), notice_seconds: noticeMs / 1000, within_seconds: drainMs / 1000 });
  if (noticeMs > 0) await pause(clock, noticeMs);
  server.stopListening();
  while (server.inFlight() > 0) {
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) {
      log.warning('calls cut off', { calls: server.inFlight() });
      server.cutOff();
      return;
    }
    await pause(clock, Math.min(leftMs, LOOK_EVERY_MS));
  }
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(delayMs, resolve));
}
