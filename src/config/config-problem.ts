/** Why the server does not start: one problem is one line on stderr. */
import { escapeControls, quote } from '../common/text/quote.js';

/** A setting that cannot be used. */
export interface ConfigProblem {
  /** Variable, flag or file, as the operator knows it. */
  readonly name: string;
  /** What the value must be, starting with `must`. */
  readonly requirement: string;
  /** The value as given; null when it must not be shown or there is none. */
  readonly rejected: string | null;
}

/** `gopher-mcp: configuration error: GOPHER_ALLOWED_PORTS: must be ..., got "0"`; one line whatever the value holds. */
export function formatProblem({ name, requirement, rejected }: ConfigProblem): string {
  const got = rejected === null ? '' : `, got ${quote(shorten(rejected))}`;
  return `gopher-mcp: configuration error: ${escapeControls(`${name}: ${requirement}`)}${got}`;
}

/** Thrown where only an exception can stop a start: out of Nest's module loading. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly ConfigProblem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ConfigError';
  }
}

/** More of a value than this helps nobody to find the mistake. */
const SHOWN_UNITS = 200;

function shorten(text: string): string {
  return text.length <= SHOWN_UNITS ? text : `${text.slice(0, SHOWN_UNITS)}...`;
}
