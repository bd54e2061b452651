/** The log as our own code sees it: an event in a few fixed words, and the facts as fields. */
import type { JsonValue } from '../common/json.js';

/** Levels as records carry them, the most talkative first. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'critical';

/** Facts of a record. An Error is written as text, with its stack and causes. `undefined` is left out. */
export type LogFields = Readonly<Record<string, JsonValue | Error | undefined>> & {
  // What every record has already: a second member of that name would make the line ambiguous.
  readonly event?: never;
  readonly level?: never;
  readonly timestamp?: never;
};

/**
 * Where records go. Calls return when the line is written or dropped; they never throw.
 *
 * What does not belong in a record at any level: queries, userinfo, key material. Search terms and selectors at debug only.
 */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warning(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  critical(event: string, fields?: LogFields): void;
  /** Whether records of `level` are written: for fields that are costly to collect. */
  isEnabled(level: LogLevel): boolean;
}

/** Injection token of {@link Log}. */
export const Log = Symbol('Log');
