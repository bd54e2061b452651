import type { CommandContext } from './command-context.js';

/** Nobody is told of what takes less than this. */
const FIRST_AFTER_MS = 1000;

/**
 * Tells on stderr that something takes its time, from the first second on; only where stderr is a terminal.
 *
 * @returns ends it and wipes the line
 */
export function showProgress({ clock, stderr, terminal }: CommandContext, what: string): () => void {
  if (!terminal.showsProgress) return () => undefined;
  let seconds = 0;
  let cancel: () => void;
  const tick = (): void => {
    seconds += 1;
    stderr.write(`\r${what} ... ${seconds} s (Ctrl+C to stop)`);
    cancel = clock.setTimer(FIRST_AFTER_MS, tick);
  };
  cancel = clock.setTimer(FIRST_AFTER_MS, tick);
  return () => {
    cancel();
    if (seconds > 0) stderr.write('\r\u001b[K');
  };
}
