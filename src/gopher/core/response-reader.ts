/**
 * Reads one Gopher answer out of chunks, without doing any I/O itself.
 *
 * Gopher answers have no length; they end when the server closes. Rules of this file:
 * - A menu also ends at its lone dot, since some servers keep the connection open (RFC 1436 section 3).
 * - A lone dot in a text may be the end or a line of a file that was sent bare. It ends the answer only if nothing follows
 *   for a while: the reader asks for `silence`, the caller has the clock.
 * - Never more than `maxBytes` are kept. A body of exactly that size is complete if the server closes next; the reader
 *   asks for `silence` here too, which means that it does not.
 * - Each byte is looked at once; chunks are joined once.
 */

/** What an answer is read as; decides how it may end. */
export type Framing = 'menu' | 'text' | 'binary';

/** What the reader wants next. */
export type ReaderState =
  /** More bytes, or the end. */
  | 'more'
  /** More bytes, the end, or word that neither came for {@link QUIET_MS}. */
  | 'silence'
  /** Nothing: the answer is over. */
  | 'done';

/** What ended the reading. */
export type Ending =
  /** The server closed. */
  | 'closed'
  /** Nothing came for {@link QUIET_MS} after the reader asked for silence. */
  | 'silence'
  /** The time for the whole fetch is spent. */
  | 'expired'
  /** The connection was reset. */
  | 'broken';

/** What was read. */
export interface ReadBody {
  readonly body: Buffer;
  /** Why this is not all of it; null when it is. */
  readonly incomplete: 'size_cap' | 'timeout' | null;
}

/** How long nothing must arrive for `silence`: well above a network round trip, short enough to wait for. */
export const QUIET_MS = 1000;

/** One answer. Feed it with {@link ResponseReader.push}, then take the body with {@link ResponseReader.finish}. */
export class ResponseReader {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #overflown = false;
  /** The answer has its lone dot: at its end so far (text), or for good (menu). */
  #terminated = false;
  /** Where the next byte of a menu stands. */
  #position: 'line start' | 'behind dot' | 'within line' = 'line start';
  /** The last bytes of a text. */
  #tail: Buffer = Buffer.alloc(0);

  /** @param maxBytes > 0 */
  constructor(
    private readonly framing: Framing,
    private readonly maxBytes: number,
  ) {}

  /** Takes the next chunk, which must not be empty. It is kept, not copied. */
  push(chunk: Buffer): ReaderState {
    const room = this.maxBytes - this.#size;
    const fitting = chunk.length > room ? chunk.subarray(0, room) : chunk;
    const menuEnd = this.framing === 'menu' ? this.#findMenuEnd(fitting) : -1;
    if (menuEnd !== -1) {
      this.#keep(fitting.subarray(0, menuEnd));
      this.#terminated = true;
      return 'done';
    }
    this.#keep(fitting);
    if (chunk.length > room) {
      this.#overflown = true;
      return 'done';
    }
    if (this.framing === 'text') this.#terminated = this.#endsInLoneDot(fitting);
    return this.#terminated || this.#size === this.maxBytes ? 'silence' : 'more';
  }

  /** The body; null when nothing usable arrived before `ending`. Any ending does once the reader is done. */
  finish(ending: Ending): ReadBody | null {
    const incomplete = this.#missing(ending);
    if (incomplete === 'all') return null;
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#size);
    return { body, incomplete };
  }

  #missing(ending: Ending): ReadBody['incomplete'] | 'all' {
    if (this.#overflown) return 'size_cap';
    if (this.#terminated || ending === 'closed') return null;
    if (ending === 'broken' || this.#size === 0) return 'all';
    return this.#size === this.maxBytes ? 'size_cap' : 'timeout';
  }

  #keep(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /**
   * Index behind the first byte of the line end of a lone dot; -1 when the menu goes on. Blanks behind the dot are let pass.
   * Menus with CR alone, or with blanks before the dot, are left to the close of the connection: the parser knows them.
   */
  #findMenuEnd(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length) {
      if (this.#position === 'within line') {
        const dot = chunk.indexOf(LINE_DOT, at);
        if (dot === -1) {
          if (chunk[chunk.length - 1] === LF) this.#position = 'line start';
          return -1;
        }
        this.#position = 'behind dot';
        at = dot + LINE_DOT.length;
        continue;
      }
      const byte = chunk[at++];
      if (this.#position === 'behind dot') {
        if (byte === CR || byte === LF) return at;
        if (byte !== SPACE && byte !== TAB) this.#position = 'within line';
      } else if (byte === DOT) this.#position = 'behind dot';
      else if (byte !== LF) this.#position = 'within line';
    }
    return -1;
  }

  /** Whether what was read so far ends in a lone dot with a line end; blank lines and NULs behind it do not count. */
  #endsInLoneDot(chunk: Buffer): boolean {
    this.#tail =
      chunk.length >= TAIL_BYTES
        ? chunk.subarray(-TAIL_BYTES)
        : Buffer.concat([this.#tail, chunk]).subarray(-TAIL_BYTES);
    const tail = this.#tail;
    let last = tail.length - 1;
    let lineEnds = 0;
    for (; last >= 0 && (tail[last] ?? 0) <= SPACE; last--) if (tail[last] === LF || tail[last] === CR) lineEnds++;
    if (lineEnds === 0 || tail[last] !== DOT) return false;
    const before = last === 0 ? undefined : tail[last - 1];
    return before === LF || (before === undefined && this.#size <= TAIL_BYTES);
  }
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DOT = 0x2e;
const LINE_DOT = Buffer.from('\n.');

/** How far back a lone dot is looked for: itself, its line ends, and a few blank lines or NULs that some servers add. */
const TAIL_BYTES = 16;
