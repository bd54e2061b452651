import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import type { Framing, ReadBody } from './core/response-reader.js';

/** One request to one server. */
export interface GopherDial {
  /** Named in messages; never looked up. */
  readonly host: string;
  readonly port: number;
  /** Vetted addresses, tried in this order; at least one. */
  readonly addresses: readonly { readonly address: string; readonly family: 4 | 6 }[];
  /** The request line, CRLF included. */
  readonly request: Buffer;
  /** How the answer may end. */
  readonly framing: Framing;
  /** Most bytes of the answer that are kept, > 0. */
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

/** What came of it. */
export type GopherTransfer =
  | ({ readonly kind: 'body' } & ReadBody)
  /** FETCH_ERROR with reason timeout, cancelled, refused, unreachable or reset. */
  | { readonly kind: 'failure'; readonly failure: Failure };

/** Sends a Gopher request and reads the answer over a connection of its own. */
export interface GopherDialer {
  /** Resolves always, at the latest when the deadline's signal aborts; no socket outlives it. */
  dial(dial: GopherDial): Promise<GopherTransfer>;
}

/** Injection token of {@link GopherDialer}. */
export const GopherDialer = Symbol('GopherDialer');
