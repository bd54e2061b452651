import type { Environment } from '../config/index.js';
import type { Terminal } from './command-context.js';

/** Width of a terminal that does not tell. */
const DEFAULT_COLUMNS = 80;

/** What is known of a stream: whether it is a terminal, and how wide. */
interface MaybeTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * What the streams of a process can show.
 *
 * @see https://no-color.org/ NO_COLOR set to anything but an empty text turns colours off
 */
export function terminalOf(
  env: Environment,
  { stdin, stdout, stderr }: Readonly<Record<'stdin' | 'stdout' | 'stderr', MaybeTerminal>>,
): Terminal {
  const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return {
    columns: stdout.isTTY === true ? (stdout.columns ?? DEFAULT_COLUMNS) : null,
    hasColours: stdout.isTTY === true && !isPlain,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    showsProgress: stderr.isTTY === true,
  };
}
