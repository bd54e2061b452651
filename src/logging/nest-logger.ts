/**
 * Nest's own messages in our log. What Nest says while it starts (`log`, `debug`, `verbose`) is of use when looking for a fault in
 * the wiring and for nothing else, so it is debug here.
 */
import type { LoggerService } from '@nestjs/common';
import { errorText, isError } from './error-text.js';
import type { Log, LogFields } from './log.port.js';

/** Passes on Nest's records: message as `event`, context as `logger`, a stack as `exception`. */
export class NestLogger implements LoggerService {
  constructor(private readonly destination: Log) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.destination.debug(eventOf(message), fieldsOf(message, rest));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.destination.debug(eventOf(message), fieldsOf(message, rest));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.destination.debug(eventOf(message), fieldsOf(message, rest));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.destination.warning(eventOf(message), fieldsOf(message, rest));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.destination.error(eventOf(message), fieldsOf(message, rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.destination.critical(eventOf(message), fieldsOf(message, rest));
  }
}

function eventOf(message: unknown): string {
  return isError(message) ? message.message : errorText(message);
}

/** Nest puts the context last and, with errors, the stack before it. */
function fieldsOf(message: unknown, rest: readonly unknown[]): LogFields {
  const texts = rest.filter((item) => typeof item === 'string');
  const context = texts.at(-1);
  const thrown = isError(message) ? message : rest.find(isError);
  const exception = thrown === undefined ? texts.at(-2) : errorText(thrown);
  return { logger: context, exception };
}
