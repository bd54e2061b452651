/**
 * Routes what arrives at the MCP endpoint: finds the era of a request, the hub that serves it and the session it belongs to,
 * and answers what needs no server. All revisions share one endpoint.
 *
 * Three servers serve everything: one for clients with a handshake that cannot be asked, one for those that can (a server
 * remembers what its last handshake declared, so the two must not share), and one for the stateless revision.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  isInitializeRequest,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
} from '@modelcontextprotocol/server';
import { STATELESS_REVISION, type ServerFactory } from '../../server-factory.js';
import { HandshakeTransport, StatelessTransport } from './hub-transports.js';
import { BatchReply, refuse, SingleReply, type Reply } from './reply.js';
import { checkMirroredHeaders } from './request-checks.js';
import type { RequestHub } from './request-hub.js';
import type { Session, Sessions } from './sessions.js';

/** Revisions that know JSON-RPC batches. */
const BATCH_REVISIONS: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26']);

/** Longest batch that is served. */
const MAX_BATCH_MESSAGES = 100;

const SESSION_HEADER = 'mcp-session-id';
const REVISION_HEADER = 'mcp-protocol-version';

/** A parsed request to the endpoint. */
export interface InboundRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
}

/** See the file's header. */
export class McpDispatcher {
  readonly #silent = new HandshakeTransport();
  readonly #asking = new HandshakeTransport();
  readonly #stateless = new StatelessTransport();

  constructor(
    private readonly factory: ServerFactory,
    private readonly sessions: Sessions,
  ) {}

  /** Connects the servers; once, before the first request. */
  async start(): Promise<void> {
    for (const transport of [this.#silent, this.#asking, this.#stateless]) {
      await this.factory.create(transport.hub.answers).connect(transport);
    }
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#silent.hub.size + this.#asking.hub.size + this.#stateless.hub.size;
  }

  /** Serves one request whose envelope was checked. The response is written here, now or later. */
  handle({ method, headers, body }: InboundRequest, response: ServerResponse): void {
    const sessionId = single(headers[SESSION_HEADER]);
    if (method === 'DELETE') {
      response.writeHead(sessionId !== undefined && this.sessions.end(sessionId) ? 204 : 404).end();
      return;
    }
    const revision = single(headers[REVISION_HEADER]);
    if (Array.isArray(body)) {
      this.#handshakeBatch(body, revision, sessionId, response);
      return;
    }
    const route = classifyInboundRequest({
      httpMethod: method,
      body,
      ...optional('protocolVersionHeader', revision),
      ...optional('mcpMethodHeader', single(headers['mcp-method'])),
      ...optional('mcpNameHeader', single(headers['mcp-name'])),
    });
    switch (route.kind) {
      case 'reject':
        refuse(response, route.httpStatus, route, { id: idOf(body) });
        return;
      case 'modern':
        this.#statelessRequest(headers, body, route.classification, response);
        return;
      case 'legacy':
        this.#handshakeMessage(body, revision, sessionId, response);
        return;
    }
  }

  #statelessRequest(
    headers: IncomingHttpHeaders,
    body: unknown,
    classification: NonNullable<MessageExtraInfo['classification']>,
    response: ServerResponse,
  ): void {
    const message = parsed(body);
    if (!message || !('method' in message)) {
      refuse(response, 400, NOT_JSON_RPC, { id: idOf(body) });
      return;
    }
    if (classification.revision !== STATELESS_REVISION) {
      const requested = classification.revision ?? 'unknown';
      const error = new UnsupportedProtocolVersionError({ supported: [STATELESS_REVISION], requested });
      refuse(response, 400, { code: error.code, message: error.message, data: error.data }, { id: idOf(body) });
      return;
    }
    if (!('id' in message)) {
      response.writeHead(202).end();
      return;
    }
    const mismatch = checkMirroredHeaders(headers, message);
    if (mismatch) {
      refuse(response, mismatch.status, mismatch, { id: message.id });
      return;
    }
    this.#submit(this.#stateless.hub, message, new SingleReply(response, true), response, { extra: { classification } });
  }

  #handshakeMessage(
    body: unknown,
    revision: string | undefined,
    sessionId: string | undefined,
    response: ServerResponse,
  ): void {
    const message = parsed(body);
    if (!message) {
      refuse(response, 400, NOT_JSON_RPC, { id: idOf(body) });
      return;
    }
    const session = this.#session(message, revision, sessionId, response);
    if (session === 'refused') return;
    const hub = session?.elicits ? this.#asking.hub : this.#silent.hub;
    if ('method' in message && 'id' in message) {
      this.#submit(hub, message, new SingleReply(response, false), response, { session: session?.id });
      return;
    }
    this.#take(hub, message, session);
    response.writeHead(202).end();
  }

  #handshakeBatch(
    body: readonly unknown[],
    revision: string | undefined,
    sessionId: string | undefined,
    response: ServerResponse,
  ): void {
    if (revision !== undefined && !BATCH_REVISIONS.has(revision)) {
      const message = `JSON-RPC batches are not part of protocol revision ${JSON.stringify(revision.slice(0, 32))}.`;
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message });
      return;
    }
    const messages = body.slice(0, MAX_BATCH_MESSAGES + 1).map(parsed);
    const valid = messages.filter((message) => message !== undefined);
    const opening = valid.some((message) => isInitializeRequest(message));
    if (valid.length === 0 || valid.length < messages.length || messages.length > MAX_BATCH_MESSAGES || opening) {
      const message = `A batch holds 1 to ${MAX_BATCH_MESSAGES} JSON-RPC messages and no initialize request.`;
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message });
      return;
    }
    const session = this.#session(undefined, undefined, sessionId, response);
    if (session === 'refused') return;
    const hub = session?.elicits ? this.#asking.hub : this.#silent.hub;
    const requests: JSONRPCRequest[] = [];
    for (const message of valid) {
      if ('method' in message && 'id' in message) requests.push(message);
      else this.#take(hub, message, session);
    }
    if (requests.length === 0) {
      response.writeHead(202).end();
      return;
    }
    const batch = new BatchReply(response, requests.length);
    for (const request of requests) this.#submit(hub, request, batch.part(), response, { session: session?.id });
  }

  /** The session of a message: a new one for a handshake, else the named one, else none. */
  #session(
    message: JSONRPCMessage | undefined,
    revision: string | undefined,
    sessionId: string | undefined,
    response: ServerResponse,
  ): Session | undefined | 'refused' {
    if (message !== undefined && isInitializeRequest(message)) {
      const session = this.sessions.open(message.params.capabilities.elicitation !== undefined);
      response.setHeader(SESSION_HEADER, session.id);
      return session;
    }
    if (revision !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
      const text = `Unsupported protocol version; supported: ${supported}, ${STATELESS_REVISION}.`;
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message: text });
      return 'refused';
    }
    if (sessionId === undefined) return undefined;
    const session = this.sessions.touch(sessionId);
    if (session) return session;
    refuse(response, 404, { code: ProtocolErrorCode.InvalidRequest, message: 'Session not found; initialize again.' });
    return 'refused';
  }

  /** A notification, or the answer to a question. */
  #take(hub: RequestHub, message: JSONRPCMessage, session: Session | undefined): void {
    if (!('method' in message)) hub.receiveAnswer(message, session?.id);
    else if (message.method === 'notifications/cancelled' && session) {
      hub.cancelFromSession(session.id, message.params?.['requestId']);
    }
  }

  /** Hands a request in, and cancels it when its client goes away before the answer. */
  #submit(
    hub: RequestHub,
    request: JSONRPCRequest,
    reply: Reply,
    response: ServerResponse,
    options: { readonly session?: string | undefined; readonly extra?: MessageExtraInfo },
  ): void {
    const cancel = hub.submit(request, reply, options);
    response.once('close', cancel);
  }
}

const NOT_JSON_RPC = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'The body is not a JSON-RPC 2.0 message.',
} as const;

function parsed(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

function optional<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  const named: Partial<Record<K, string>> = {};
  if (value !== undefined) named[name] = value;
  return named;
}

function idOf(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null;
}
