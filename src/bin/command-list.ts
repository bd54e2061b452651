/** The commands of a person, as the program lists them. Loaded when the command line asks for one, or for help. */
import { COMMAND_TABLE } from '../cli/command-table.js';
import type { CommandRow } from '../cli/command.js';
import { inColumns } from '../cli/help.js';
import { unknownName } from '../cli/unknown-name.js';
import { err, ok, type Result } from '../common/result.js';
import { FLAGS, refusalText, USAGE, type Flag } from './arguments.js';

/** The command of this name. Fails with what to print when there is none. */
export function findCommand(name: string): Result<CommandRow, string> {
  const row = COMMAND_TABLE.find((one) => one.name === name);
  if (row !== undefined) return ok(row);
  const names = COMMAND_TABLE.map((one) => one.name);
  return err(refusalText(unknownName(name, names)));
}

/** What `--help` prints. */
export function helpText(): string {
  return `${USAGE}
MCP server that lets language models read the small web: Gopher and Gemini.
Without a command it serves. "gopher-mcp <command> --help" tells more of a command.

commands:
${inColumns(COMMAND_TABLE.map(({ name, summary }) => [name, summary]))}
options:
${inColumns(FLAGS.map((flag) => [spelling(flag), flag.description]))}
Settings come from environment variables and from a .env file in the working directory;
flags go before both.
`;
}

function spelling({ name, short, value }: Flag): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}
