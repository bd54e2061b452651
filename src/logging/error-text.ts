/** What was thrown, as text for the log. */
import { inspect } from 'node:util';

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

/** Causes may form a ring. */
const MAX_CAUSES = 5;

function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? thrown.message;
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1, breakLength: Infinity });
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}
