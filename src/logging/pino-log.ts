/** {@link Log} over pino. */
import type { Logger } from 'pino';
import { errorText, isError } from './error-text.js';
import type { Log, LogFields, LogLevel } from './log.port.js';

/** Our levels by pino's names for them. */
export const LEVEL_BY_LABEL: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'critical',
};

const LABEL_BY_LEVEL = {
  debug: 'debug',
  info: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'fatal',
} as const satisfies Record<LogLevel, string>;

/** See {@link Log}. */
export class PinoLog implements Log {
  constructor(private readonly pino: Logger) {}

  debug(event: string, fields?: LogFields): void {
    this.#write('debug', event, fields);
  }

  info(event: string, fields?: LogFields): void {
    this.#write('info', event, fields);
  }

  warning(event: string, fields?: LogFields): void {
    this.#write('warning', event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.#write('error', event, fields);
  }

  critical(event: string, fields?: LogFields): void {
    this.#write('critical', event, fields);
  }

  isEnabled(level: LogLevel): boolean {
    return this.pino.isLevelEnabled(LABEL_BY_LEVEL[level]);
  }

  #write(level: LogLevel, event: string, fields: LogFields | undefined): void {
    if (this.isEnabled(level))
      this.pino[LABEL_BY_LEVEL[level]](fields === undefined ? {} : withErrorsAsText(fields), event);
  }
}

function withErrorsAsText(fields: LogFields): object {
  const entries = Object.entries(fields);
  if (!entries.some(([, value]) => isError(value))) return fields;
  return Object.fromEntries(entries.map(([name, value]) => [name, isError(value) ? errorText(value) : value]));
}
