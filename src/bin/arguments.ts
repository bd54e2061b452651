/**
 * The command line, as data: what to do, and the flags that stand for settings. A first word that is no flag names a command of
 * src/cli/, to which all the rest belongs. Arguments are judged from left to right, so that
 * `--help` answers whatever comes after it. A flag is one entry of the table; the usage text is made from it.
 */
import { parseArgs } from 'node:util';
import { COMMAND_TABLE } from '../cli/command-table.js';
import type { CommandRow } from '../cli/command.js';
import { inColumns } from '../cli/help.js';
import { unknownName } from '../cli/unknown-name.js';
import { quote } from '../common/text/quote.js';
import type { Flags } from '../config/environment.js';
import { TRANSPORTS } from '../config/transport.js';
import { parseInteger } from '../config/value-syntax.js';

/** What the command line asks for. */
export type Arguments =
  /** Run the server. */
  | { readonly kind: 'serve'; readonly flags: Flags }
  /** Run a person's command with the words after its name. */
  | { readonly kind: 'command'; readonly row: CommandRow; readonly argv: readonly string[] }
  /** Validate the settings and exit. */
  | { readonly kind: 'check'; readonly flags: Flags }
  /** Print the settings in effect and exit. */
  | { readonly kind: 'print-config'; readonly flags: Flags }
  /** Print program and version and exit; settings are not looked at. */
  | { readonly kind: 'version' }
  /** Print `text` to stdout and exit; settings are not looked at. */
  | { readonly kind: 'help'; readonly text: string }
  /** Print `text` to stderr and exit with 2. */
  | { readonly kind: 'refused'; readonly text: string };

/** A flag, for the usage text and the reference. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Name of its value; absent for a flag without one. */
  readonly value?: string;
  readonly description: string;
}

/** All flags. */
export const FLAGS = [
  { name: 'transport', value: TRANSPORTS.join('|'), description: 'how clients reach the server (default: stdio)' },
  { name: 'host', value: 'HOST', description: 'HTTP: name or address to listen on (default: 127.0.0.1)' },
  { name: 'port', value: 'PORT', description: 'HTTP: port to listen on, 0 for a free one (default: 8000)' },
  {
    name: 'allowed-host',
    value: 'HOST[:PORT]',
    description: 'HTTP: a name under which clients may address the server; may be repeated',
  },
  { name: 'check', description: 'validate the configuration and exit' },
  { name: 'print-config', description: 'print the settings in effect, secrets hidden, and exit' },
  { name: 'version', description: 'print the version and exit' },
  { name: 'help', short: 'h', description: 'print this text and exit' },
] as const satisfies readonly Flag[];

/** Reads the arguments after the program's name. */
export function parseArguments(argv: readonly string[]): Arguments {
  const [first, ...rest] = argv;
  if (first !== undefined && !first.startsWith('-')) return commandOf(first, rest);
  const { tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags: { transport?: string; host?: string; port?: string } = {};
  const allowedHosts: string[] = [];
  const actions = new Set<string>();

  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') return refused(`unexpected argument ${quote(token.value)}`);
    const flag = FLAGS.find(({ name }) => name === token.name);
    if (flag === undefined) return refused(`unknown option ${quote(token.rawName)}`);
    if (flag.name === 'help' || flag.name === 'version' || flag.name === 'check' || flag.name === 'print-config') {
      if (token.inlineValue === true) return refused(`${token.rawName} takes no value`);
      if (flag.name === 'help') return { kind: 'help', text: HELP };
      if (flag.name === 'version') return { kind: 'version' };
      actions.add(flag.name);
      continue;
    }
    const { value } = token;
    // In `--host --port 80` the flag has lost its value; one that starts with a dash can be written `--host=-x`.
    if (value === undefined || (value.startsWith('-') && !token.inlineValue)) {
      return refused(`${token.rawName} needs a value`);
    }
    if (flag.name === 'transport' && !TRANSPORTS.some((name) => name === value)) {
      return refused(`--transport must be one of ${TRANSPORTS.join(', ')}, got ${quote(value)}`);
    }
    if (flag.name === 'port' && !isPort(value)) {
      return refused(`--port must be an integer from 0 to 65535, got ${quote(value)}`);
    }
    if (flag.name === 'allowed-host') allowedHosts.push(value);
    else flags[flag.name] = value;
  }

  const given: Flags = { ...flags, allowedHosts };
  if (actions.has('print-config')) return { kind: 'print-config', flags: given };
  return { kind: actions.has('check') ? 'check' : 'serve', flags: given };
}

function commandOf(name: string, argv: readonly string[]): Arguments {
  const row = COMMAND_TABLE.find((one) => one.name === name);
  if (row !== undefined) return { kind: 'command', row, argv };
  const names = COMMAND_TABLE.map((one) => one.name);
  return refused(unknownName(name, names));
}

const OPTIONS = Object.fromEntries(
  FLAGS.map((flag: Flag) => [
    flag.name,
    {
      type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
      ...(flag.short === undefined ? {} : { short: flag.short }),
    },
  ]),
);

const USAGE = 'usage: gopher-mcp [options]\n       gopher-mcp <command> [options]\n';

const HELP = `${USAGE}
MCP server that lets language models read the small web: Gopher and Gemini.
Without a command it serves. "gopher-mcp <command> --help" tells more of a command.

commands:
${inColumns(COMMAND_TABLE.map(({ name, summary }) => [name, summary]))}
options:
${usageLines(FLAGS)}

Settings come from environment variables and from a .env file in the working directory;
flags go before both.
`;

function usageLines(flags: readonly Flag[]): string {
  const heads = flags.map(
    ({ name, short, value }) =>
      `  ${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
  );
  const width = 26;
  return flags
    .map(({ description }, index) => {
      const head = heads[index] ?? '';
      return head.length < width ? head.padEnd(width) + description : `${head}\n${' '.repeat(width)}${description}`;
    })
    .join('\n');
}

function isPort(text: string): boolean {
  const port = parseInteger(text);
  return port !== null && port >= 0 && port <= 65_535;
}

function refused(message: string): Arguments {
  return { kind: 'refused', text: `${USAGE}gopher-mcp: error: ${message}\n` };
}
