/** The words after a command's name, checked against its options and operands. */
import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../common/result.js';
import { quote } from '../common/text/quote.js';
import { nearestName } from '../config/edit-distance.js';
import { parseInteger } from '../config/value-syntax.js';
import type { CommandOption, CommandOptions, CommandSyntax } from './command-syntax.js';

/** What was given. Asking for an option that the command does not have is a mistake in the command and throws. */
export class CommandArguments {
  constructor(
    /** The words that are no options, in order. */
    readonly operands: readonly string[],
    private readonly given: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** Whether an option without a value was given. */
  flag(name: string): boolean {
    return this.#values(name).length > 0;
  }

  /** The value of an option, the last one given; null when it was not. */
  text(name: string): string | null {
    return this.#values(name).at(-1) ?? null;
  }

  /** Every value of an option that may be repeated. */
  texts(name: string): readonly string[] {
    return this.#values(name);
  }

  /** The value of an option with `integer`; null when it was not given. */
  integer(name: string): number | null {
    const text = this.text(name);
    return text === null ? null : parseInteger(text);
  }

  /** The operand at `index`, which the command requires. */
  operand(index: number): string {
    const word = this.operands[index];
    if (word === undefined) throw new TypeError(`operand ${index} is not required by the command`);
    return word;
  }

  #values(name: string): readonly string[] {
    const values = this.given.get(name);
    if (values === undefined) throw new TypeError(`the command has no option --${name}`);
    return values;
  }
}

/**
 * Reads `argv` from left to right; `help` as soon as `--help` or `-h` is met. Fails with what is wrong, in words for the person
 * who typed it.
 */
export function parseCommandArguments(
  { options, operands }: CommandSyntax,
  argv: readonly string[],
): Result<CommandArguments | 'help', string> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const given = new Map<string, string[]>(Object.keys(options).map((name) => [name, []]));
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      words.push(token.value);
      continue;
    }
    if (token.name === 'help') return ok('help');
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const values = given.get(token.name);
    if (option === undefined || values === undefined) return err(unknownOption(token.rawName, Object.keys(options)));
    const { value, inlineValue: isInline } = token;
    if (option.type === 'boolean') {
      if (isInline) return err(`${token.rawName} takes no value`);
      values.push('');
      continue;
    }
    // In `--search --json` the option has lost its value; one that starts with a dash can be written `--search=-x`.
    if (value === undefined || (value.startsWith('-') && !isInline)) return err(`${token.rawName} needs a value`);
    const refusal = judge(option, value);
    if (refusal !== null) return err(`${token.rawName} ${refusal}, got ${quote(value)}`);
    values.push(value);
  }
  const missing = operands.find(({ optional }, index) => optional !== true && index >= words.length);
  if (missing !== undefined) return err(`${missing.name} is missing`);
  const unexpected = operands.at(-1)?.multiple === true ? undefined : words[operands.length];
  if (unexpected !== undefined) return err(`unexpected argument ${quote(unexpected)}`);
  return ok(new CommandArguments(words, given));
}

function parserOptions(options: CommandOptions): Record<string, { type: 'boolean' | 'string'; short?: string }> {
  const own = Object.entries(options).map(
    ([name, { type, short }]) => [name, short === undefined ? { type } : { type, short }] as const,
  );
  return { ...Object.fromEntries(own), help: { type: 'boolean', short: 'h' } };
}

function judge({ choices, integer }: CommandOption, value: string): string | null {
  if (choices !== undefined && !choices.includes(value)) return `must be one of ${choices.join(', ')}`;
  if (integer === undefined) return null;
  const number = parseInteger(value);
  if (number !== null && number >= integer.min && number <= integer.max) return null;
  return `must be an integer from ${integer.min} to ${integer.max}`;
}

function unknownOption(rawName: string, known: readonly string[]): string {
  const nearest = nearestName(rawName.replace(/^-+/, ''), known);
  return `unknown option ${quote(rawName)}${nearest === null ? '' : `; did you mean --${nearest}?`}`;
}
