import type { Log } from '../logging/index.js';

/** Longest time for a clean stop, beside what a drain may take; then the process ends as it is. */
export const STOP_WITHIN_MS = 5000;

/** What of the process is needed to stop it. */
export interface StoppableProcess {
  once(event: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
}

/** What is stopped. */
export interface Stoppable {
  /** Resolves when the work has ended by itself. */
  readonly ended: Promise<void>;
  /** @param signal what asked for the end; undefined when the work had ended */
  readonly close: (signal: NodeJS.Signals | undefined) => Promise<void>;
  /** Time that closing may take, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Resolves with the first signal that asks to stop; the second one ends the process at once. To be called before anything else of
 * the start: the kernel keeps a signal that nobody listens for from the first process of a container, so that it would be lost.
 */
export function stopRequest(process: StoppableProcess): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of STOP_SIGNALS) {
      process.once(name, () => {
        resolve(name);
        endOnSignals(process);
      });
    }
  });
}

/**
 * Waits for the end of the work or for a signal that asks to stop, closes, and ends the process: with 0 when it closed
 * cleanly, 1 when it did not in time. A further signal ends it at once.
 *
 * @param request of {@link stopRequest}; may have been made long before
 */
export async function stopOnSignals(
  process: StoppableProcess,
  request: Promise<NodeJS.Signals>,
  { ended, close, withinMs }: Stoppable,
  log: Log,
): Promise<void> {
  const signal = await Promise.race([ended, request]);
  if (signal === undefined) endOnSignals(process);
  else log.info('stopping', { signal });
  const backstop = setTimeout(() => {
    log.warning('not stopped in time');
    process.exit(1);
  }, withinMs);
  try {
    await close(signal ?? undefined);
    process.exit(0);
  } catch (error) {
    log.error('stopped with trouble', { error: error instanceof Error ? error : String(error) });
    process.exit(1);
  } finally {
    clearTimeout(backstop);
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function endOnSignals(process: StoppableProcess): void {
  for (const name of STOP_SIGNALS) process.once(name, () => process.exit(1));
}
