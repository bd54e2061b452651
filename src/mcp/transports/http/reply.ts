/**
 * How the answer to one JSON-RPC request leaves over HTTP: as one JSON body, or, once a notification or a question goes out
 * before it, as an event stream on the same response.
 */
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../common/json.js';
import { NOT_LET_IN } from '../../gated-run.js';

/** An error of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly data?: unknown;
}

/** Takes what a server sends for one request. */
export interface Reply {
  /** A notification or question that precedes the answer. */
  precede(message: JSONRPCMessage): void;
  /** The answer, serialised, in pieces; `error` is that of a failed one. */
  finish(pieces: readonly Buffer[], error: RpcError | undefined): void;
  /** There will be no answer: the client took its request back. */
  abandon(): void;
}

/** Media type of an event stream. */
export const EVENT_STREAM = 'text/event-stream';

const EVENT_OPEN = Buffer.from('event: message\ndata: ');
const EVENT_CLOSE = Buffer.from('\n\n');
const OPEN_BRACKET = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE_BRACKET = Buffer.from(']');

/** Statuses that the stateless revision wants for JSON-RPC errors; every other answer is 200. */
const STATUS_OF_CODE: Readonly<Record<number, number>> = { [-32601]: 404, [-32022]: 400, [-32021]: 400, [-32020]: 400 };

/** The answer to one request that came alone. */
export class SingleReply implements Reply {
  #streaming = false;

  /** @param stateless whether errors also show in the HTTP status (2026-07-28) */
  constructor(
    private readonly response: ServerResponse,
    private readonly stateless: boolean,
  ) {}

  precede(message: JSONRPCMessage): void {
    if (!this.#streaming) {
      this.#streaming = true;
      openEventStream(this.response);
    }
    writeEvent(this.response, [Buffer.from(JSON.stringify(message))]);
  }

  finish(pieces: readonly Buffer[], error: RpcError | undefined): void {
    if (this.#streaming) {
      writeEvent(this.response, pieces);
      this.response.end();
      return;
    }
    const status = this.stateless && error !== undefined ? (STATUS_OF_CODE[error.code] ?? 200) : 200;
    writeJson(this.response, turnedAway(this.response, error) ?? status, pieces);
  }

  abandon(): void {
    endUnanswered(this.response, this.#streaming);
  }
}

/** The answers to the requests of one JSON-RPC batch (2025-03-26): one array, sent when the last is there. */
export class BatchReply {
  readonly #answers: (readonly Buffer[])[] = [];
  readonly #notLetIn: RpcError[] = [];
  #streaming = false;
  #expected: number;

  /** @param expected requests in the batch, at least 1 */
  constructor(
    private readonly response: ServerResponse,
    expected: number,
  ) {
    this.#expected = expected;
  }

  /** The part of one request. */
  part(): Reply {
    return {
      precede: (message) => {
        if (!this.#streaming) {
          this.#streaming = true;
          openEventStream(this.response);
        }
        writeEvent(this.response, [Buffer.from(JSON.stringify(message))]);
      },
      finish: (pieces, error) => {
        this.#answers.push(pieces);
        if (error?.code === NOT_LET_IN) this.#notLetIn.push(error);
        this.#sendIfComplete();
      },
      abandon: () => {
        this.#expected--;
        this.#sendIfComplete();
      },
    };
  }

  #sendIfComplete(): void {
    if (this.#answers.length < this.#expected) return;
    if (this.#expected === 0) {
      endUnanswered(this.response, this.#streaming);
      return;
    }
    const answers = this.#answers.flatMap((answer, i) => (i === 0 ? answer : [COMMA, ...answer]));
    const pieces = [OPEN_BRACKET, ...answers, CLOSE_BRACKET];
    if (!this.#streaming) {
      const isRefused = this.#notLetIn.length === this.#answers.length;
      const status = isRefused ? turnedAway(this.response, this.#notLetIn[0]) : undefined;
      writeJson(this.response, status ?? 200, pieces);
      return;
    }
    writeEvent(this.response, pieces);
    this.response.end();
  }
}

/**
 * The status of an answer that says the call was not let in, with the header that says when to come again; undefined for every
 * other answer. Both revisions have it: what balancers and clients do about too many requests, they do by the status.
 */
function turnedAway(response: ServerResponse, error: RpcError | undefined): number | undefined {
  if (error?.code !== NOT_LET_IN || !isJsonObject(error.data)) return undefined;
  const { code, retry_after_seconds: seconds } = error.data;
  if (typeof seconds === 'number') response.setHeader('retry-after', Math.ceil(seconds));
  if (code === 'QUOTA_EXCEEDED') return 429;
  return code === 'OVERLOADED' ? 503 : undefined;
}

/** An event stream that ends without the answer is how a response to a request that was taken back ends. */
function endUnanswered(response: ServerResponse, streaming: boolean): void {
  if (response.destroyed) return;
  if (!streaming) openEventStream(response);
  response.end();
}

/** Answers with a JSON-RPC error that belongs to no running request. */
export function refuse(
  response: ServerResponse,
  status: number,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  {
    id = null,
    headers = {},
  }: { readonly id?: string | number | null; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  writeJson(response, status, [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }))]);
}

function writeJson(response: ServerResponse, status: number, pieces: readonly Buffer[]): void {
  if (response.destroyed) return;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
  writeAll(response, pieces);
  response.end();
}

/** Starts an event stream: nothing between here and the client may buffer it. */
export function openEventStream(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': EVENT_STREAM,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
}

/** Writes one message event. */
export function writeEvent(response: ServerResponse, pieces: readonly Buffer[]): void {
  if (response.destroyed) return;
  writeAll(response, [EVENT_OPEN, ...pieces, EVENT_CLOSE]);
}

/** One packet for all pieces. Corking the response instead of its socket loses data on Node 22 and 24. */
function writeAll(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.socket?.cork();
  for (const piece of pieces) response.write(piece);
  const { socket } = response;
  queueMicrotask(() => socket?.uncork());
}
