/**
 * Compact JSON to the inside of a JSON string that holds the same document indented by two.
 *
 * An MCP answer carries each payload twice: compact, and as the text of a content block. Keeping both in the cache doubles
 * its memory; building the second one with JSON.parse and two JSON.stringify costs several times more than this single
 * walk over the bytes. The result equals `JSON.stringify(JSON.stringify(JSON.parse(compact), null, 2)).slice(1, -1)` in
 * UTF-8 (a property test holds the two against each other). Input is our own JSON.stringify output: nothing is validated.
 */
import { finish, type Steps } from './steps.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LOWER_N = 0x6e;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const INDENT = 2;
/** Bytes between two yields. */
const YIELD_EVERY = 1 << 16;

/** See the file's header; all at once. */
export function escapedPretty(compact: Uint8Array, depth = 0): Buffer {
  return finish(prettyInSteps(compact, depth));
}

/**
 * See the file's header. Runs in one pass; the output buffer grows by a quarter when it may become full.
 *
 * @param depth how deep in the document `compact` stands: 0 for a whole one, 1 for the members of an object without its braces
 */
export function* prettyInSteps(compact: Uint8Array, depth = 0): Steps<Buffer> {
  const walk = new Walk(compact, depth);
  while (!walk.goOn(YIELD_EVERY)) yield;
  return walk.written;
}

/** The walk over one document. What a step works on is kept in local variables: fields cost twice the time of the whole walk. */
class Walk {
  #out: Buffer;
  #at = 0;
  #next = 0;

  constructor(
    private readonly compact: Uint8Array,
    private depth: number,
  ) {
    this.#out = Buffer.allocUnsafe(compact.length * 2 + 64);
  }

  get written(): Buffer {
    return this.#out.subarray(0, this.#at);
  }

  /** Goes over `bytes` more, and to the end of the string there; whether that was all. */
  goOn(bytes: number): boolean {
    const { compact } = this;
    const { length } = compact;
    const until = Math.min(length, this.#next + bytes);
    let out = this.#out;
    let at = this.#at;
    let depth = this.depth;
    let i = this.#next;

    for (; i < until; i++) {
      // Bytes of a string at most double, and one other byte becomes at most its line.
      while (at + 2 * (length - i) + depth * INDENT + 16 > out.length) out = grown(out, at);
      const byte = compact[i] ?? 0;
      switch (byte) {
        case QUOTE: {
          out[at++] = BACKSLASH;
          out[at++] = QUOTE;
          for (i++; ; i++) {
            const longFrom = Math.min(length, i + NATIVE_COPY_FROM);
            let inside = compact[i];
            while (i < longFrom && inside !== undefined && inside !== QUOTE && inside !== BACKSLASH) {
              out[at++] = inside;
              inside = compact[++i];
            }
            if (i === longFrom) {
              const end = endOfRun(compact, i);
              out.set(compact.subarray(i, end), at);
              at += end - i;
              i = end;
            }
            if (compact[i] !== BACKSLASH) break;
            // An escape `\x` becomes `\\x`, or `\\\"` and `\\\\` when x itself needs one.
            const escaped = compact[++i] ?? 0;
            out[at++] = BACKSLASH;
            out[at++] = BACKSLASH;
            if (escaped === QUOTE || escaped === BACKSLASH) out[at++] = BACKSLASH;
            out[at++] = escaped;
          }
          out[at++] = BACKSLASH;
          out[at++] = QUOTE;
          break;
        }
        case OPEN_BRACE:
        case OPEN_BRACKET: {
          out[at++] = byte;
          const next = compact[i + 1];
          if (next === CLOSE_BRACE || next === CLOSE_BRACKET) {
            out[at++] = next;
            i++;
          } else at = newLine(out, at, ++depth);
          break;
        }
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          at = newLine(out, at, --depth);
          out[at++] = byte;
          break;
        case COMMA:
          out[at++] = byte;
          at = newLine(out, at, depth);
          break;
        case COLON:
          out[at++] = byte;
          out[at++] = SPACE;
          break;
        default:
          out[at++] = byte;
      }
    }
    this.#out = out;
    this.#at = at;
    this.depth = depth;
    this.#next = i;
    return i >= length;
  }
}

/** A native fill costs more to call than these few bytes. */
function newLine(out: Buffer, at: number, depth: number): number {
  out[at++] = BACKSLASH;
  out[at++] = LOWER_N;
  for (let spaces = depth * INDENT; spaces > 0; spaces--) out[at++] = SPACE;
  return at;
}

/** The first bytes of a run are copied one by one: for a short run a native copy costs more to call. */
const NATIVE_COPY_FROM = 48;

/** Where the bytes from `from` on that stand for themselves end. */
function endOfRun(compact: Uint8Array, from: number): number {
  let end = from;
  while (end < compact.length && compact[end] !== QUOTE && compact[end] !== BACKSLASH) end++;
  return end;
}

function grown(buffer: Buffer, used: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.ceil(buffer.length * 1.25) + 64);
  buffer.copy(larger, 0, 0, used);
  return larger;
}
