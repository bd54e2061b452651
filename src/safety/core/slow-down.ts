/**
 * What a host means when it asks us to slow down (Gemini status 44), and what a caller is told.
 *
 * Versions of the Gemini specification differ: older ones put the number of seconds to wait into the status line, 0.24
 * asks for exponential back-off and names none. A positive number is honoured; anything else starts a pause of
 * {@link FIRST_PAUSE_SECONDS} that doubles with each further such answer.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi
 */
import { failure, type Failure } from '../../common/error-codes.js';

/** Longest pause a host can ask for, in seconds: beyond that it is a page that is not available. */
export const MAX_PAUSE_SECONDS = 300;

/** First pause when the host names no number of seconds. */
export const FIRST_PAUSE_SECONDS = 15;

/** The seconds that the text of a status 44 names, at most {@link MAX_PAUSE_SECONDS}; null when it names none above zero. */
export function namedPauseSeconds(field: string): number | null {
  const text = field.trim().toLowerCase();
  const unsigned = text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === 'inf' || unsigned === 'infinity') return MAX_PAUSE_SECONDS;
  // Number() also reads '', '0x1f' and '0b1', none of which anybody means as seconds.
  const seconds = /^[0-9.][0-9.e+-]*$/.test(unsigned) ? Number(unsigned) : Number.NaN;
  return seconds > 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) : null;
}

/** `seconds` as a pause: infinite or too long is {@link MAX_PAUSE_SECONDS}, not a number or negative is none. */
export function clampPauseSeconds(seconds: number): number {
  return seconds > 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) : 0;
}

/** A pause that we chose because the host named none. */
export interface UnnamedPause {
  readonly seconds: number;
  /** Monotonic milliseconds. */
  readonly endsAtMs: number;
}

/**
 * The pause after a further answer that names none. It doubles only when the last one had run out: an answer that comes
 * before that belongs to a request which was under way already, and says nothing new.
 */
export function nextUnnamedPause(last: UnnamedPause | undefined, nowMs: number): UnnamedPause {
  const seconds = pauseAfter(last, nowMs);
  return { seconds, endsAtMs: nowMs + seconds * 1000 };
}

function pauseAfter(last: UnnamedPause | undefined, nowMs: number): number {
  if (last === undefined) return FIRST_PAUSE_SECONDS;
  return nowMs < last.endsAtMs ? last.seconds : Math.min(last.seconds * 2, MAX_PAUSE_SECONDS);
}

/** Milliseconds as `retry_after_seconds`: one decimal, rounded up so that nobody comes back too early. */
export function toRetryAfterSeconds(delayMs: number): number {
  return Math.ceil(delayMs / 100) / 10;
}

/** SLOW_DOWN, reason `host_asked`: the pause that the host asked for is not waited out. */
export function hostAskedFailure(host: string, retryAfterMs: number): Failure {
  const seconds = toRetryAfterSeconds(retryAfterMs);
  return failure('SLOW_DOWN', `${host} asked to be left alone for a while; nothing was sent.`, {
    reason: 'host_asked',
    retry_after_seconds: seconds,
    next_step: `Wait ${seconds} seconds before the next request to this host, or go on elsewhere.`,
  });
}

/** SLOW_DOWN, reason `own_pacing`: our own spacing of requests to one host would delay this one too long. */
export function ownPacingFailure(host: string, retryAfterMs: number, variablePrefix: string): Failure {
  const seconds = toRetryAfterSeconds(retryAfterMs);
  return failure(
    'SLOW_DOWN',
    `This server spaces its own requests to ${host}, and this one would wait longer than ` +
      `${variablePrefix}MAX_WAIT_SECONDS allows; nothing was sent.`,
    {
      reason: 'own_pacing',
      retry_after_seconds: seconds,
      next_step: `Wait ${seconds} seconds, and ask for fewer pages of this host at a time.`,
    },
  );
}

/**
 * SLOW_DOWN, reason `own_pacing`: all of our own slots for requests under way stayed taken. When one comes free nobody
 * knows; a second is the least that makes sense.
 */
export function slotsTakenFailure(variablePrefix: string): Failure {
  return failure(
    'SLOW_DOWN',
    `All ${variablePrefix}MAX_CONCURRENT_REQUESTS slots of this server stayed taken for longer than ` +
      `${variablePrefix}MAX_WAIT_SECONDS allows; nothing was sent.`,
    {
      reason: 'own_pacing',
      retry_after_seconds: 1,
      next_step: 'Try again when the requests under way are done, and ask for fewer pages at a time.',
    },
  );
}
