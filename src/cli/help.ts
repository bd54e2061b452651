/** The help of a command, made from its table. Lines are broken at {@link HELP_COLUMNS}. */
import type { CommandOption, CommandSyntax } from './command-syntax.js';
import { isGroup, type Command } from './command.js';
import { wrapWords } from './printable.js';

/** Longest line of a help text. */
export const HELP_COLUMNS = 100;

const LEFT_COLUMNS = 28;

/** `usage: gopher-mcp fetch [options] URL`, with a line feed. */
export function usageOf(path: readonly string[], command: Command): string {
  return `usage: gopher-mcp ${path.join(' ')} ${isGroup(command) ? '<command>' : syntaxOf(command)}\n`;
}

/** What `--help` prints. */
export function helpOf(path: readonly string[], command: Command): string {
  const opening = `${usageOf(path, command)}\n${capitalised(command.summary)}.\n`;
  const details = command.details === undefined ? '' : `\n${paragraphs(command.details)}\n`;
  if (isGroup(command)) {
    const rows = command.commands.map((below) => [`${below.name} ${syntaxOf(below)}`, below.summary] as const);
    const hint = `Run "gopher-mcp ${path.join(' ')} <command> --help" for the options of one.`;
    return `${opening}\ncommands:\n${inColumns(rows)}${details}\n${hint}\n`;
  }
  return `${opening}\noptions:\n${inColumns(optionRows(command))}${details}`;
}

/** Operands and options of one command in short: `[options] URL`. */
export function syntaxOf({ operands }: CommandSyntax): string {
  return ['[options]', ...operands.map(({ name, optional }) => (optional ? `[${name}]` : name))].join(' ');
}

/** Each option as it is typed, with what it does; `--help` comes last. */
export function optionRows({ options }: CommandSyntax): readonly (readonly [string, string])[] {
  const own = Object.entries(options).map(([name, option]) => [spelling(name, option), description(option)] as const);
  return [...own, ['-h, --help', 'print this text and exit']];
}

/** Two columns; a left side that is too long gets a line of its own. */
export function inColumns(rows: readonly (readonly [string, string])[]): string {
  const indent = ' '.repeat(LEFT_COLUMNS);
  return rows
    .map(([left, right]) => {
      const head = `  ${left}`;
      const lines = wrapWords(right, HELP_COLUMNS - LEFT_COLUMNS).join(`\n${indent}`);
      return head.length < LEFT_COLUMNS ? `${head.padEnd(LEFT_COLUMNS)}${lines}\n` : `${head}\n${indent}${lines}\n`;
    })
    .join('');
}

/** An option as it is typed: `-i, --input TEXT`. */
function spelling(name: string, { short, value, choices }: CommandOption): string {
  const placeholder = value ?? choices?.join('|');
  return `${short === undefined ? '' : `-${short}, `}--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`;
}

function description({ description: text, value, choices }: CommandOption): string {
  return value !== undefined && choices !== undefined ? `${text} (${choices.join(', ')})` : text;
}

/** Lines that begin with a blank are examples, which stay as they are. */
function paragraphs(text: string): string {
  const lines = text.trim().split('\n');
  return lines.flatMap((line) => (line.startsWith(' ') ? [line] : wrapWords(line, HELP_COLUMNS))).join('\n');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
