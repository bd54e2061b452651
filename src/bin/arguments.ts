/**
 * The command line, as data: what to do, and the flags that stand for settings. A first word that is no flag names a command of
 * src/cli/, to which all the rest belongs. Arguments are judged from left to right, so that
 * `--help` answers whatever comes after it. Every start of a server runs this; what only a person needs is in command-list.ts.
 */
import { parseArgs } from 'node:util';
import { quote } from '../common/text/quote.js';
import type { Flags } from '../config/environment.js';
import { TRANSPORTS } from '../config/transport.js';
import { parseInteger } from '../config/value-syntax.js';

/** What the command line asks for. */
export type Arguments =
  /** Run the server. */
  | { readonly kind: 'serve'; readonly flags: Flags }
  /** Run a person's command, if there is one of this name, with the words after it. */
  | { readonly kind: 'command'; readonly name: string; readonly argv: readonly string[] }
  /** Validate the settings and exit. */
  | { readonly kind: 'check'; readonly flags: Flags }
  /** Print the settings in effect and exit. */
  | { readonly kind: 'print-config'; readonly flags: Flags }
  /** Print program and version and exit; settings are not looked at. */
  | { readonly kind: 'version' }
  /** Print the help and exit; settings are not looked at. */
  | { readonly kind: 'help' }
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
  if (first !== undefined && !first.startsWith('-')) return { kind: 'command', name: first, argv: rest };
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
      if (flag.name === 'help') return { kind: 'help' };
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

const OPTIONS = Object.fromEntries(
  FLAGS.map((flag: Flag) => [
    flag.name,
    {
      type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
      ...(flag.short === undefined ? {} : { short: flag.short }),
    },
  ]),
);

/** How the program is called. */
export const USAGE = 'usage: gopher-mcp [options]\n       gopher-mcp <command> [options]\n';

function isPort(text: string): boolean {
  const port = parseInteger(text);
  return port !== null && port >= 0 && port <= 65_535;
}

function refused(message: string): Arguments {
  return { kind: 'refused', text: refusalText(message) };
}

/** What is printed of a command line that is not understood. */
export function refusalText(message: string): string {
  return `${USAGE}gopher-mcp: error: ${message}\n`;
}
