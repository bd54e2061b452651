/**
 * MCP over HTTP+SSE, the transport of protocol revision 2024-11-05: a client opens an event stream, learns from its first
 * event where to post its messages, and gets every answer over the stream. Later revisions keep it for old clients.
 *
 * A connection is its stream: it holds the caller's memory, and everything of it ends when the stream closes. All connections
 * share one server, since each request brings along who made it.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { OnModuleDestroy } from '@nestjs/common';
import {
  isInitializeRequest,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../../common/clock.port.js';
import { isSameCaller, type Principal } from '../../../common/principal.js';
import { CallerMemory } from '../../caller.js';
import { isMalformedHandshake, MALFORMED_HANDSHAKE } from '../../handshake.js';
import type { ServerFactory } from '../../server-factory.js';
import { callerOf, type RequestOrigin } from './http-caller.js';
import { HandshakeTransport } from './hub-transports.js';
import { openEventStream, refuse, writeEvent, type Reply } from './reply.js';
import type { ScopeCheck } from './scope-check.js';
import type { TransportLoad } from './transport-load.port.js';

/** Where messages are posted. */
export const MESSAGES_PATH = '/messages/';

/** Parameter that says to which connection a message belongs. */
export const SESSION_PARAMETER = 'session_id';

/** How often a line without meaning is written to each stream: so a client that vanished is noticed, and proxies keep it open. */
export const PING_EVERY_MS = 15_000;

/** Most bytes that may wait for a client that does not read; then its connection ends. */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const PING = ': ping\n\n';

/** See the file's header. */
export class SseDispatcher implements TransportLoad, OnModuleDestroy {
  readonly #transport = new HandshakeTransport(false);
  readonly #connections = new Map<string, SseConnection>();
  readonly #clock: Clock;
  readonly #maxConnections: number;
  readonly #maxUnreadBytes: number;
  #cancelPing: (() => void) | undefined;
  #closed = false;

  /**
   * @param options.maxConnections streams open at the same time; the next client is told to come back later
   * @param options.maxUnreadBytes {@link MAX_UNREAD_BYTES} by default
   */
  constructor(
    private readonly factory: ServerFactory,
    private readonly scopes: Pick<ScopeCheck, 'check'>,
    options: { readonly maxConnections: number; readonly maxUnreadBytes?: number; readonly clock: Clock },
  ) {
    this.#maxConnections = options.maxConnections;
    this.#maxUnreadBytes = options.maxUnreadBytes ?? MAX_UNREAD_BYTES;
    this.#clock = options.clock;
  }

  /** Connects the server; once, before the first request. */
  async start(): Promise<void> {
    await this.factory.create(this.#transport.hub).connect(this.#transport);
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#transport.hub.size;
  }

  get sessionCount(): number {
    return this.#connections.size;
  }

  /** Opens a stream on `response`, for messages of `owner` alone. */
  open(owner: Principal, response: ServerResponse): void {
    if (this.#closed || this.#connections.size >= this.#maxConnections) {
      const message = 'The server has no room for another connection; try again later.';
      refuse(response, 503, { code: ProtocolErrorCode.InternalError, message }, { headers: { 'retry-after': '10' } });
      return;
    }
    const id = randomUUID().replaceAll('-', '');
    const connection = new SseConnection(owner, response, this.#maxUnreadBytes);
    this.#connections.set(id, connection);
    response.once('close', () => {
      this.#connections.delete(id);
      connection.end();
    });
    openEventStream(response);
    response.write(`event: endpoint\ndata: ${MESSAGES_PATH}?${SESSION_PARAMETER}=${id}\n\n`);
    this.#cancelPing ??= this.#clock.setTimer(PING_EVERY_MS, this.#ping);
  }

  /** Takes a message that was posted for the connection `id`; `response` says only whether it was taken. */
  receive(id: string | undefined, origin: RequestOrigin, body: unknown, response: ServerResponse): void {
    const connection = id === undefined ? undefined : this.#connections.get(id);
    // To anybody but its owner a connection does not exist.
    if (!connection || id === undefined || !isSameCaller(connection.owner, origin.principal)) {
      const [status, message] =
        id === undefined ? [400, `${SESSION_PARAMETER} is required.`] : [404, 'Could not find session.'];
      refuse(response, status, { code: ProtocolErrorCode.InvalidRequest, message });
      return;
    }
    const message = parsed(body);
    if (!message) {
      const text = 'The body is not a JSON-RPC 2.0 message.';
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message: text });
      return;
    }
    if ('method' in message && 'id' in message) {
      const refusal = this.scopes.check([message], callerOf(origin, connection.memory));
      if (refusal) {
        const { status, headers = {}, ...error } = refusal;
        refuse(response, status, error, { id: message.id, headers });
        return;
      }
    }
    response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
    this.#deliver(id, connection, message, origin);
  }

  /** Ends every stream: a server that stops waits for its open responses. */
  onModuleDestroy(): void {
    this.#closed = true;
    this.#cancelPing?.();
    for (const connection of this.#connections.values()) connection.close();
  }

  #deliver(id: string, connection: SseConnection, message: JSONRPCMessage, origin: RequestOrigin): void {
    const { hub } = this.#transport;
    if (!('method' in message)) hub.receiveAnswer(message, id);
    else if ('id' in message) {
      if (isInitializeRequest(message)) {
        const { capabilities, clientInfo: client } = message.params;
        connection.memory = new CallerMemory(capabilities, { client, session: id });
      }
      if (isMalformedHandshake(message)) {
        connection.tell({ jsonrpc: '2.0', id: message.id, error: MALFORMED_HANDSHAKE });
        return;
      }
      const caller = callerOf(origin, connection.memory);
      connection.run((reply) => hub.submit(message, reply, caller, { session: id }));
    } else if (message.method === 'notifications/cancelled') {
      hub.cancelFromSession(id, message.params?.['requestId']);
    }
  }

  readonly #ping = (): void => {
    for (const connection of this.#connections.values()) connection.ping();
    this.#cancelPing = this.#connections.size === 0 ? undefined : this.#clock.setTimer(PING_EVERY_MS, this.#ping);
  };
}

/** One stream and what runs for it. */
class SseConnection {
  /** Of a client that declares nothing, until its handshake. */
  memory = new CallerMemory({});
  readonly #cancels = new Set<() => void>();

  constructor(
    readonly owner: Principal,
    private readonly response: ServerResponse,
    private readonly maxUnreadBytes: number,
  ) {}

  /** Starts a request, whose reply goes to the stream. @param submit gives what cancels it */
  run(submit: (reply: Reply) => () => void): void {
    const done = (): void => void this.#cancels.delete(cancel);
    const cancel = submit({
      precede: (message) => this.#event([Buffer.from(JSON.stringify(message))]),
      finish: (pieces) => {
        done();
        this.#event(pieces);
      },
      abandon: done,
    });
    this.#cancels.add(cancel);
  }

  /** Writes an answer that needs no server. */
  tell(message: JSONRPCMessage): void {
    this.#event([Buffer.from(JSON.stringify(message))]);
  }

  /** Writes a line without meaning. */
  ping(): void {
    this.#write(() => this.response.write(PING));
  }

  /** Cancels what runs; the stream is gone. */
  end(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  /** Ends the stream. */
  close(): void {
    this.response.end();
  }

  #event(pieces: readonly Buffer[]): void {
    this.#write(() => writeEvent(this.response, pieces));
  }

  /** Writes, unless the client has stopped reading: then the connection ends. */
  #write(write: () => void): void {
    if (this.response.destroyed) return;
    if (this.response.writableLength > this.maxUnreadBytes) this.response.destroy();
    else write();
  }
}

function parsed(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
