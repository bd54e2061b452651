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
 * See the file's header. Runs in one pass; the output buffer doubles when it is full.
 *
 * @param depth how deep in the document `compact` stands: 0 for a whole one, 1 for the members of an object without its braces
 */
export function* prettyInSteps(compact: Uint8Array, depth = 0): Steps<Buffer> {
  let nextYield = YIELD_EVERY;
  let out: Buffer = Buffer.allocUnsafe(compact.length * 2 + 64);
  let at = 0;
  const { length } = compact;

  const newLine = (): void => {
    out[at++] = BACKSLASH;
    out[at++] = LOWER_N;
    // A native fill costs more to call than these few bytes.
    for (let spaces = depth * INDENT; spaces > 0; spaces--) out[at++] = SPACE;
  };

  for (let i = 0; i < length; i++) {
    if (i >= nextYield) {
      nextYield = i + YIELD_EVERY;
      yield;
    }
    // A token of one byte grows to at most this much; string bytes at most double.
    if (at + depth * INDENT + 16 > out.length) out = grown(out, at);
    const byte = compact[i] ?? 0;
    switch (byte) {
      case QUOTE: {
        out[at++] = BACKSLASH;
        out[at++] = QUOTE;
        let from = i + 1;
        for (i = from; ; i++) {
          const inside = compact[i];
          if (inside !== QUOTE && inside !== BACKSLASH && i < length) continue;
          const run = i - from;
          while (at + run + 16 > out.length) out = grown(out, at);
          at = append(compact, from, i, out, at);
          if (inside !== BACKSLASH) break;
          // An escape `\x` becomes `\\x`, or `\\\"` and `\\\\` when x itself needs one.
          const escaped = compact[++i] ?? 0;
          out[at++] = BACKSLASH;
          out[at++] = BACKSLASH;
          if (escaped === QUOTE || escaped === BACKSLASH) out[at++] = BACKSLASH;
          out[at++] = escaped;
          from = i + 1;
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
        } else {
          depth++;
          newLine();
        }
        break;
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        newLine();
        out[at++] = byte;
        break;
      case COMMA:
        out[at++] = byte;
        newLine();
        break;
      case COLON:
        out[at++] = byte;
        out[at++] = SPACE;
        break;
      default:
        out[at++] = byte;
    }
  }
  return out.subarray(0, at);
}

/** Runs shorter than this are copied byte by byte: a native copy costs more to call. */
const NATIVE_COPY_FROM = 48;

function append(source: Uint8Array, from: number, to: number, target: Buffer, at: number): number {
  if (to - from >= NATIVE_COPY_FROM) {
    target.set(source.subarray(from, to), at);
    return at + to - from;
  }
  for (let i = from; i < to; i++) target[at++] = source[i] ?? 0;
  return at;
}

function grown(buffer: Buffer, used: number): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger, 0, 0, used);
  return larger;
}
