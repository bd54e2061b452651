import { formatProblem, type ConfigProblem } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type ExitCode } from './command.js';

/** Reports settings that cannot be used, one a line. */
export function refuseSettings({ stderr }: CommandContext, problems: readonly ConfigProblem[]): ExitCode {
  for (const problem of problems) stderr.write(`${formatProblem(problem)}\n`);
  return EXIT.usage;
}
