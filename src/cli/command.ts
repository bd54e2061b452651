/**
 * What a command is: static data, from which its help, its page in docs/cli.md and the shell completions are made, and one
 * function that runs it with everything it may touch as an argument. All commands stand in one table (command-table.ts).
 */
import type { CommandContext } from './command-context.js';
import type { CommandArguments } from './command-arguments.js';
import type { CommandSyntax } from './command-syntax.js';

/** How a command ended, for the shell: 0 done, 1 it failed, 2 the command line or the settings are wrong. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What every command shows of itself. */
interface CommandFace {
  readonly name: string;
  /** One line, in lower case, without a full stop. */
  readonly summary: string;
  /** Further paragraphs of the help: what it does, what its exit codes mean, examples. */
  readonly details?: string;
}

/** A command that does something. */
export interface RunnableCommand extends CommandFace, CommandSyntax {
  /** Runs it. What it promises to say goes to stdout, everything about how it went to stderr. */
  run(context: CommandContext, args: CommandArguments): Promise<ExitCode>;
}

/** A command with commands below it: `trust list`, `trust pin`. */
export interface CommandGroup extends CommandFace {
  readonly commands: readonly RunnableCommand[];
}

/** A command as its file exports it. */
export type Command = RunnableCommand | CommandGroup;

/** A command as it stands in the table: enough for the list of commands, and where the rest is. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Whether `command` has commands below it. */
export function isGroup(command: Command): command is CommandGroup {
  return 'commands' in command;
}
