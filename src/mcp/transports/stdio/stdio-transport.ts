/**
 * MCP over a pair of byte streams: one JSON-RPC message a line.
 *
 * Lines are cut without joining what has arrived again at every chunk, and prepared results are written as they are. A
 * line that is no JSON is answered with -32700, one that is no JSON-RPC with -32600; an over-long one ends the connection,
 * since nothing tells where the next message starts.
 */
import type { Readable, Writable } from 'node:stream';
import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { spliceResponse, type EncodedAnswers } from '../../encoded-answers.js';
import { isMalformedHandshake, MALFORMED_HANDSHAKE } from '../../handshake.js';

/** Longest line a client may send, in bytes. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** Messages up to this size are written as one buffer: copying so few bytes costs less than writing many pieces. */
const JOINED_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const LINE_END = Buffer.from('\n');

/** What a {@link StdioTransport} is built with. */
export interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Results of tools, to be spliced into their answers. */
  readonly answers: EncodedAnswers;
  /** Called once, after the first message was written: the client is greeted, there is time for slower things. */
  readonly onGreeted?: () => void;
  /** Longest line taken; {@link MAX_LINE_BYTES} by default. */
  readonly maxLineBytes?: number;
}

/** See the file's header. Closes itself when the input ends. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #closed = false;
  #greeted = false;
  #draining: Promise<void> | undefined;
  readonly #maxLineBytes: number;

  constructor(private readonly options: StdioTransportOptions) {
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  start(): Promise<void> {
    const { input, output } = this.options;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('error', this.#onError);
    output.on('error', this.#onError);
    return Promise.resolve();
  }

  /** Resolves when the stream has taken the message. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const members = 'id' in message && message.id !== undefined ? this.options.answers.take(message.id) : undefined;
    if (members !== undefined && 'result' in message) {
      const pieces = spliceResponse(message.id, message.result, members);
      return this.#write([...pieces, LINE_END]);
    }
    return this.#write([Buffer.from(`${JSON.stringify(message)}\n`)]);
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.options.input.off('data', this.#onData);
      this.options.input.off('end', this.#onEnd);
      this.options.input.pause();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#pieces.push(chunk.subarray(from, at));
      const line = this.#pieces.length === 1 ? chunk.subarray(from, at) : Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#pendingBytes = 0;
      from = at + 1;
      if (line.length > 0) this.#onLine(line);
    }
    if (from === chunk.length) return;
    this.#pieces.push(chunk.subarray(from));
    this.#pendingBytes += chunk.length - from;
    if (this.#pendingBytes > this.#maxLineBytes) {
      this.onerror?.(new Error(`a line is longer than ${this.#maxLineBytes} bytes`));
      void this.close();
    }
  };

  readonly #onEnd = (): void => void this.close();

  readonly #onError = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  #onLine(line: Buffer): void {
    const text = line.toString().trim();
    if (text === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'The line is not valid JSON.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(requestIdOf(value), ProtocolErrorCode.InvalidRequest, 'The line is not a JSON-RPC 2.0 message.');
      return;
    }
    if (isMalformedHandshake(message)) {
      this.#refuse(requestIdOf(value), MALFORMED_HANDSHAKE.code, MALFORMED_HANDSHAKE.message);
      return;
    }
    this.onmessage?.(message);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    void this.#write([Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)]);
  }

  #write(pieces: readonly Buffer[]): Promise<void> {
    const { output, onGreeted } = this.options;
    let taken = true;
    if (pieces.reduce((bytes, piece) => bytes + piece.length, 0) <= JOINED_BYTES) {
      taken = output.write(Buffer.concat(pieces));
    } else {
      output.cork();
      for (const piece of pieces) taken = output.write(piece);
      output.uncork();
    }
    if (!this.#greeted) {
      this.#greeted = true;
      if (onGreeted) setImmediate(onGreeted);
    }
    return taken ? Promise.resolve() : this.#drained();
  }

  /** One pair of listeners for however many messages wait. */
  #drained(): Promise<void> {
    const { output } = this.options;
    return (this.#draining ??= new Promise((resolve) => {
      const done = (): void => {
        output.off('drain', done);
        output.off('close', done);
        this.#draining = undefined;
        resolve();
      };
      output.on('drain', done);
      output.on('close', done);
    }));
  }
}

function requestIdOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}
