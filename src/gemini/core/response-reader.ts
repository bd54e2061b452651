/**
 * Reads one Gemini response out of chunks, without doing any I/O itself.
 *
 * Rules of this file:
 * - The header ends at the first CRLF. An LF before it means that the server ends its lines with LF alone: searching on for
 *   a CRLF would swallow lines of the body.
 * - A header that cannot become valid any more fails at once: wrong first bytes, or no CRLF within the length that its
 *   status allows ({@link MAX_PARSED_HEADER_BYTES} for 2x and 3x, {@link MAX_HEADER_BYTES} for texts, which are cut).
 * - Outside 2x the header is the whole response. What follows it is not looked at.
 * - Header and body together are at most `maxBytes` long. A body that ends exactly there is complete if the server closes
 *   next; the reader says `full`, and the caller has the clock to find out.
 * - Each byte is looked at once; chunks of the body are kept, not copied, and joined once.
 */
import type { Failure } from '../../common/error-codes.js';
import { err, ok, type Result } from '../../common/result.js';
import {
  isMachineReadable,
  malformed,
  MAX_META_BYTES,
  parseHeader,
  statusOf,
  wrongStart,
  type ResponseHeader,
} from './header.js';

/** Longest header of a 2x or 3x answer: status, space, field and CRLF. */
export const MAX_PARSED_HEADER_BYTES = 3 + MAX_META_BYTES + 2;

/** Longest header that is read at all. */
export const MAX_HEADER_BYTES = 8192;

/** What the reader wants next. */
export type ReaderState =
  /** More bytes, or the end. */
  | 'more'
  /** The end, or word that it does not come: the size limit is reached. */
  | 'full'
  /** Nothing: the response is over, or wrong. */
  | 'done';

/** Why a body stops before its end. */
export type CutReason = 'size_cap' | 'timeout' | 'no_close_notify';

/** What was read. */
export interface GeminiResponse {
  readonly header: ResponseHeader;
  /** Empty outside 2x, and when it was not wanted. */
  readonly body: Buffer;
  /** Why the body is not, or may not be, all of it; null when it is. */
  readonly incomplete: CutReason | null;
}

/** What ended the reading. */
export type ReadEnd =
  /** The server said that it is done (TLS close_notify). */
  | 'closed'
  /** The connection ended without the server saying so. */
  | 'cut'
  /** The time is spent. */
  | 'expired'
  /** The size limit was reached, and no end came. */
  | 'overlong';

/** Limits and wishes of one read. */
export interface ReaderOptions {
  /** Header and body together, in bytes, > 0. A header may be longer; then no body fits. */
  readonly maxBytes: number;
  /** Asked once, at a 2x header: whether the body is of any use. */
  wantsBody(header: ResponseHeader): boolean;
}

/** One response. Feed it with {@link ResponseReader.push}, then take what came of it with {@link ResponseReader.finish}. */
export class ResponseReader {
  /** What came of the header so far; its bytes are `#head` up to `#headSize`. */
  #head: Buffer = EMPTY;
  #headSize = 0;
  #header: ResponseHeader | undefined;
  #failure: Failure | undefined;
  readonly #chunks: Buffer[] = [];
  #bodySize = 0;
  #room = 0;
  #overflown = false;
  #done = false;

  constructor(private readonly options: ReaderOptions) {}

  /** Whether nothing more is needed: further bytes and the end of the connection change nothing. */
  get done(): boolean {
    return this.#done;
  }

  /** Takes the next chunk. */
  push(chunk: Buffer): ReaderState {
    if (this.#done) return 'done';
    const bodyAt = this.#header ? 0 : this.#readHeader(chunk);
    if (this.#header && !this.#isDone()) this.#keep(bodyAt === 0 ? chunk : chunk.subarray(bodyAt));
    if (this.#isDone()) return 'done';
    return this.#header && this.#room === 0 ? 'full' : 'more';
  }

  /**
   * The response, given what ended the reading. Null when it had not begun to be useful at `expired`: no header, or a header
   * and no byte of the body. Returns PROTOCOL_ERROR for a malformed or missing header.
   */
  finish(end: ReadEnd): Result<GeminiResponse, Failure> | null {
    if (this.#failure) return err(this.#failure);
    if (!this.#header) return end === 'expired' ? null : this.#unfinishedHeader();
    const incomplete = this.#missing(end);
    if (incomplete === 'timeout' && this.#bodySize === 0) return null;
    return ok({ header: this.#header, body: this.#body(), incomplete });
  }

  #missing(end: ReadEnd): CutReason | null {
    if (this.#overflown) return 'size_cap';
    if (this.#done || end === 'closed') return null;
    if (end === 'cut') return 'no_close_notify';
    return this.#room === 0 ? 'size_cap' : 'timeout';
  }

  #unfinishedHeader(): { readonly ok: false; readonly error: Failure } {
    return malformed(
      this.#headSize === 0
        ? 'the server closed the connection without an answer'
        : 'the connection ended before the CRLF of the header',
    );
  }

  /** Looks for the end of the header; the index in `chunk` where the body begins. */
  #readHeader(chunk: Buffer): number {
    const lf = chunk.indexOf(LF);
    if (lf === -1) {
      const head = this.#collect(chunk, chunk.length);
      const wrong = wrongSoFar(head) ?? wrongLength(head);
      if (wrong !== null) this.#fail(wrong);
      return chunk.length;
    }
    // Most headers come whole in the first chunk.
    const line = this.#headSize === 0 ? chunk.subarray(0, lf) : this.#collect(chunk, lf);
    const wrong = wrongSoFar(line) ?? wrongLength(line);
    if (wrong !== null) this.#fail(wrong);
    else if (line.at(-1) !== CR) this.#fail('the header is not ended by CRLF');
    else this.#take(parseHeader(line.subarray(0, -1)), line.length + 1);
    return lf + 1;
  }

  /** Appends `length` bytes to the header so far, as many as a header may be long; all of it. */
  #collect(chunk: Buffer, length: number): Buffer {
    if (this.#head.length === 0) this.#head = Buffer.allocUnsafe(MAX_HEADER_BYTES);
    this.#headSize += chunk.copy(this.#head, this.#headSize, 0, length);
    return this.#head.subarray(0, this.#headSize);
  }

  #take(parsed: Result<ResponseHeader, Failure>, headerBytes: number): void {
    this.#head = EMPTY;
    if (!parsed.ok) {
      this.#failure = parsed.error;
      return;
    }
    const { status } = (this.#header = parsed.value);
    this.#room = Math.max(0, this.options.maxBytes - headerBytes);
    this.#done = status < 20 || status > 29 || !this.options.wantsBody(this.#header);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const kept = bytes.length > this.#room ? bytes.subarray(0, this.#room) : bytes;
    this.#overflown = kept.length < bytes.length;
    if (kept.length > 0) this.#chunks.push(kept);
    this.#bodySize += kept.length;
    this.#room -= kept.length;
  }

  #fail(what: string): void {
    this.#failure = malformed(what).error;
  }

  #isDone(): boolean {
    this.#done ||= this.#failure !== undefined || this.#overflown;
    return this.#done;
  }

  #body(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#bodySize);
  }
}

/** What is wrong with the beginning of a header; a CR at its end may belong to the CRLF behind a bare status. */
function wrongSoFar(head: Buffer): string | null {
  const seen = head.at(-1) === CR ? head.subarray(0, -1) : head;
  return seen.length < 3 ? null : wrongStart(seen);
}

/** Whether a header is too long for its status even if the next byte ends it. */
function wrongLength(head: Buffer): string | null {
  const size = head.length + 1;
  if (size <= MAX_PARSED_HEADER_BYTES) return null;
  const limit = isMachineReadable(statusOf(head)) ? MAX_PARSED_HEADER_BYTES : MAX_HEADER_BYTES;
  return size > limit ? `there is no CRLF in the first ${limit} bytes` : null;
}

const EMPTY = Buffer.alloc(0);
const LF = 0x0a;
const CR = 0x0d;
