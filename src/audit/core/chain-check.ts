/** Goes through audit files line by line and says where their chain breaks. */
import { CHAIN_START, openSeal, type ChainLink, type LineHash } from './chain.js';

/** What is wrong with a line. */
export type BreakReason =
  /** It is not what was hashed, or another key was used. */
  | 'changed'
  /** It does not follow the one before: lines between are missing, or were added or moved. */
  | 'not the next'
  /** It carries no hash, and the chain does not go on behind it. */
  | 'not sealed';

/** What a check has found. */
export interface ChainReport {
  /** Sealed lines that fit. */
  readonly lines: number;
  /** Number of the first of them; null when there is none. */
  readonly firstSeq: number | null;
  /** The last of them; null when there is none. */
  readonly last: ChainLink | null;
  /** The first line that does not fit, counted over all files from 1; null when all do. */
  readonly broken: { readonly line: number; readonly reason: BreakReason } | null;
  /** Pieces of lines behind which the chain goes on, as a crash or a full disk leaves them. */
  readonly fragments: number;
  /** Whether the hash that was looked for is among the lines that fit; true when none was. */
  readonly isSoughtFound: boolean;
}

/** Checks lines in their order. The first line may be one of many: what was before it is not known here. */
export class ChainCheck {
  #line = 0;
  #lines = 0;
  #firstSeq: number | null = null;
  #last: ChainLink | null = null;
  #broken: ChainReport['broken'] = null;
  #fragments = 0;
  /** The first of the lines without a hash since the last that fits. */
  #pending: number | null = null;
  #pendingCount = 0;

  #isSoughtFound: boolean;

  /** @param sought a hash that must be among them; null = none */
  constructor(
    private readonly lineHash: LineHash,
    private readonly sought: string | null = null,
  ) {
    this.#isSoughtFound = sought === null;
  }

  /** @param line without line end */
  push(line: string): void {
    this.#line += 1;
    if (this.#broken !== null) return;
    const sealed = openSeal(line);
    if (sealed === null) {
      this.#pending ??= this.#line;
      this.#pendingCount += 1;
      return;
    }
    if (!this.#follows(sealed.seq, sealed.prev)) this.#breakAt('not the next');
    else if (this.lineHash.of(sealed.hashed) !== sealed.hash) this.#breakAt('changed');
    else {
      this.#fragments += this.#pendingCount;
      this.#pending = null;
      this.#pendingCount = 0;
      this.#lines += 1;
      this.#firstSeq ??= sealed.seq;
      this.#isSoughtFound ||= sealed.hash === this.sought;
      this.#last = { seq: sealed.seq, hash: sealed.hash };
    }
  }

  /** What was found up to here. */
  report(): ChainReport {
    const atEnd = this.#pending === null ? null : ({ line: this.#pending, reason: 'not sealed' } as const);
    return {
      lines: this.#lines,
      firstSeq: this.#firstSeq,
      last: this.#last,
      broken: this.#broken ?? atEnd,
      fragments: this.#fragments,
      isSoughtFound: this.#isSoughtFound,
    };
  }

  #follows(seq: number, prev: string): boolean {
    if (this.#last !== null) return seq === this.#last.seq + 1 && prev === this.#last.hash;
    return seq !== 1 || prev === CHAIN_START.hash;
  }

  /** A line that lost its hash is the one to look at, not the next one, which does not fit for that reason. */
  #breakAt(reason: BreakReason): void {
    this.#broken =
      this.#pending === null ? { line: this.#line, reason } : { line: this.#pending, reason: 'not sealed' };
  }
}
