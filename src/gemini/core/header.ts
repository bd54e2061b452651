/**
 * The response header: two digits, a space, a field of UTF-8 text. The field of a failure or of a certificate request may be
 * missing together with its space.
 *
 * The protocol sets no bound on the field any more; 1024 bytes, the bound of its earlier versions, is kept where the field
 * is machine-readable (2x, 3x). Texts for people are cut to it instead.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (Responses)
 */
import { isUtf8 } from 'node:buffer';
import { fail, type Failure } from '../../common/error-codes.js';
import { ok, type Result } from '../../common/result.js';
import { sanitizeField } from '../../common/text/sanitize.js';

/** Longest field of a header, in bytes. */
export const MAX_META_BYTES = 1024;

/** A parsed header. */
export interface ResponseHeader {
  /** 10..69. */
  readonly status: number;
  /** What stands behind the first space, as sent; at most {@link MAX_META_BYTES} bytes, ending in a mark when it was cut. */
  readonly meta: string;
}

/**
 * Parses the bytes before the first CRLF. Returns PROTOCOL_ERROR, naming the rule that is broken. How long a header may be
 * is for the reader to say; a long text is cut here.
 */
export function parseHeader(bytes: Buffer): Result<ResponseHeader, Failure> {
  const wrong = wrongStart(bytes);
  if (wrong !== null) return malformed(wrong);
  if (!isUtf8(bytes)) return malformed('the header is not UTF-8');
  const status = statusOf(bytes);
  if (bytes.length === 2 && status < 40) return malformed(`the field behind the status ${status} is missing`);
  const field = bytes.subarray(3);
  return ok({ status, meta: field.length > MAX_META_BYTES ? cut(field) : field.toString() });
}

/**
 * What is wrong with the first bytes of a header, as far as they are there: they need to be two ASCII digits, 10..69, and a
 * space. Null when nothing is wrong so far.
 */
export function wrongStart(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 2);
  if (!start.every(isDigit)) {
    const seen = shown(bytes);
    return `the header does not begin with two digits${seen === '' ? '' : ` but with "${seen}"`}`;
  }
  if (bytes.length < 2) return 'the header is shorter than two digits';
  const status = statusOf(bytes);
  if (status < 10 || status > 69) return `the status "${shown(start)}" is not defined`;
  if (bytes.length > 2 && bytes[2] !== SPACE) return `a space is missing behind the status ${status}`;
  return null;
}

/** The number that the first two bytes, which are digits, stand for. */
export function statusOf(bytes: Uint8Array): number {
  return ((bytes[0] ?? 0) - ZERO) * 10 + ((bytes[1] ?? 0) - ZERO);
}

/** Whether the field of this status is read by machines, and therefore never cut. */
export function isMachineReadable(status: number): boolean {
  return status >= 20 && status <= 39;
}

/** PROTOCOL_ERROR: `what` broke the rules of the protocol. */
export function malformed(what: string): { readonly ok: false; readonly error: Failure } {
  return fail('PROTOCOL_ERROR', `The response is malformed: ${what}.`, {
    reason: 'malformed',
    next_step: 'Report this; the fault is in the server, and another request will most likely end the same way.',
  });
}

/** The first bytes, so that a person sees what answered; two characters at most, without invisible ones. */
function shown(bytes: Uint8Array): string {
  return sanitizeField(Buffer.from(bytes.subarray(0, 2)).toString('latin1'));
}

/** Cuts on a character boundary, with room for the mark. */
function cut(field: Buffer): string {
  let end = MAX_META_BYTES - CUT_MARK.length;
  while (((field[end] ?? 0) & 0xc0) === 0x80) end--;
  return field.toString('utf8', 0, end) + CUT_MARK;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

const CUT_MARK = ' [truncated]';
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
