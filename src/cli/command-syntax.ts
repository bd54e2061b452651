/** What may follow the name of a command: options and operands, as data. */

/** An option of a command; every command also has `--help`. */
export interface CommandOption {
  /** Whether a value follows. */
  readonly type: 'boolean' | 'string';
  /** One letter. */
  readonly short?: string;
  /** Whether it may be given several times. */
  readonly multiple?: true;
  /** Name of the value in the help; only with type `string`. */
  readonly value?: string;
  /** The values that are taken; any when absent. */
  readonly choices?: readonly string[];
  /** The value is a whole number from `min` to `max`. */
  readonly integer?: { readonly min: number; readonly max: number };
  /** A clause in lower case, without a full stop. */
  readonly description: string;
}

/** Options by their long name, without dashes. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** A word that is no option. */
export interface Operand {
  /** As the help writes it: `URL`. */
  readonly name: string;
  /** Whether the command can do without; only the last ones can. */
  readonly optional?: true;
  /** Whether several may be given; only of the last one. */
  readonly multiple?: true;
}

/** All that may follow. */
export interface CommandSyntax {
  readonly operands: readonly Operand[];
  readonly options: CommandOptions;
}
