/** From the words after the program's name to a run: finds the command, answers `--help`, refuses what does not fit. */
import { parseCommandArguments } from './command-arguments.js';
import type { CommandContext } from './command-context.js';
import { EXIT, isGroup, type Command, type CommandGroup, type ExitCode, type RunnableCommand } from './command.js';
import { helpOf, usageOf } from './help.js';
import { unknownName } from './unknown-name.js';

/** Runs `command` with the words that follow its name. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  if (!isGroup(command)) return runOne([command.name], command, argv, context);
  const [word, ...rest] = argv;
  if (word === '--help' || word === '-h') {
    context.stdout.write(helpOf([command.name], command));
    return EXIT.ok;
  }
  const chosen = command.commands.find(({ name }) => name === word);
  if (chosen === undefined) return refuse(context, usageOf([command.name], command), noSuchCommand(word, command));
  return runOne([command.name, chosen.name], chosen, rest, context);
}

async function runOne(
  path: readonly string[],
  command: RunnableCommand,
  argv: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const args = parseCommandArguments(command, argv);
  if (!args.ok) return refuse(context, usageOf(path, command), args.error);
  if (args.value === 'help') {
    context.stdout.write(helpOf(path, command));
    return EXIT.ok;
  }
  return command.run(context, args.value);
}

function noSuchCommand(word: string | undefined, { commands }: CommandGroup): string {
  const names = commands.map(({ name }) => name);
  return word === undefined ? `a command is missing: ${names.join(', ')}` : unknownName(word, names);
}

function refuse({ stderr }: CommandContext, usage: string, message: string): ExitCode {
  stderr.write(`${usage}gopher-mcp: error: ${message}\n`);
  return EXIT.usage;
}
