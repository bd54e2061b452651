/**
 * The hash chain over audit lines. A sealed line ends in three members:
 *
 *     ..., "seq": 7, "prev": <hash of line 6>, "hash": <hash of this line>}
 *
 * What is hashed are the bytes of the line without its last member. So a changed line does not fit its own hash, and a line that is
 * missing, added or moved does not fit the next one. Only the end can be cut off unseen: therefore the last link is noted beside the file.
 */
import { createHash, createHmac } from 'node:crypto';

/** Where a chain stands: its last line. */
export interface ChainLink {
  /** Number of the line, from 1. */
  readonly seq: number;
  /** 64 lowercase hex digits. */
  readonly hash: string;
}

/** Before the first line. */
export const CHAIN_START: ChainLink = { seq: 0, hash: '0'.repeat(64) };

/** A line that was sealed, taken apart. */
export interface SealedLine extends ChainLink {
  readonly prev: string;
  /** What its hash is of. */
  readonly hashed: string;
}

/** How lines are hashed: SHA-256, with a key as HMAC. */
export class LineHash {
  /** @param key hex digits, or null */
  constructor(private readonly key: string | null) {}

  /** Hex digits. */
  of(text: string): string {
    const hash = this.key === null ? createHash('sha256') : createHmac('sha256', Buffer.from(this.key, 'hex'));
    return hash.update(text).digest('hex');
  }
}

/** Seals lines one after the other. */
export class HashChain {
  #last: ChainLink;

  /** @param last where the chain goes on */
  constructor(
    private readonly lineHash: LineHash,
    last: ChainLink,
  ) {
    this.#last = last;
  }

  /** The line that was sealed last. */
  get last(): ChainLink {
    return this.#last;
  }

  /** @param json a JSON object with members */
  seal(json: string): string {
    const seq = this.#last.seq + 1;
    const hashed = `${json.slice(0, -1)},"seq":${seq},"prev":"${this.#last.hash}"}`;
    const hash = this.lineHash.of(hashed);
    this.#last = { seq, hash };
    return `${hashed.slice(0, -1)},"hash":"${hash}"}`;
  }
}

const SEAL = /,"seq":([1-9][0-9]{0,14}),"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}$/;
/** Longest text that {@link SEAL} matches, or more. */
const SEAL_LENGTH = 200;
const HASH_MEMBER_LENGTH = ',"hash":""}'.length + 64;

/** Takes a line apart; null when it was not sealed, or is cut off. @param line without line end */
export function openSeal(line: string): SealedLine | null {
  const [, seq, prev, hash] = SEAL.exec(line.slice(-SEAL_LENGTH)) ?? [];
  if (!line.startsWith('{') || seq === undefined || prev === undefined || hash === undefined) return null;
  return { seq: Number(seq), prev, hash, hashed: `${line.slice(0, -HASH_MEMBER_LENGTH)}}` };
}

/** Reads a noted link: a JSON object with `seq` and `hash`. */
export function parseLink(json: string): ChainLink | null {
  const [, seq, hash] = /^\{"seq":(0|[1-9][0-9]{0,14}),"hash":"([0-9a-f]{64})"\}\n?$/.exec(json) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash };
}

/** Writes a link down for {@link parseLink}. */
export function formatLink({ seq, hash }: ChainLink): string {
  return `{"seq":${seq},"hash":"${hash}"}\n`;
}
