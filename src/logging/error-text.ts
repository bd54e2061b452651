/** What was thrown, as text for the log. */
import { inspect, types } from 'node:util';

/** The stack of `error` and of its causes, at most five; anything else is described in one line. */
export function errorText(error: unknown): string {
  const parts = [describe(error)];
  let cause = causeOf(error);
  while (cause !== undefined && parts.length <= MAX_CAUSES) {
    parts.push(`Caused by: ${describe(cause)}`);
    cause = causeOf(cause);
  }
  return parts.join('\n');
}

/** Whether `value` is an Error: of whatever realm, or derived without being native, as the reason of an aborted signal is. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** Causes may form a ring. */
const MAX_CAUSES = 5;

function describe(thrown: unknown): string {
  if (isError(thrown)) return thrown.stack ?? thrown.message;
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1, breakLength: Infinity });
}

function causeOf(thrown: unknown): unknown {
  return isError(thrown) ? thrown.cause : undefined;
}
