/**
 * Routes what arrives at the MCP endpoint: finds the era of a request, the hub that serves it and the session it belongs to,
 * and answers what needs no server. All revisions share one endpoint.
 *
 * Two servers serve everything: one for the revisions with a handshake, one for the stateless revision. What belongs to one
 * client (what it declared, its log level, the pages it visited) is kept in its session and handed in with each request.
 */
import type { ServerResponse } from 'node:http';
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
import type { Principal } from '../../../common/principal.js';
import { isInitialize, MALFORMED_HANDSHAKE } from '../../handshake.js';
import { STATELESS_REVISION, type ServerFactory } from '../../server-factory.js';
import type { Caller } from '../../caller.js';
import { callerOf, type RequestOrigin } from './http-caller.js';
import { HandshakeTransport, StatelessTransport } from './hub-transports.js';
import { BatchReply, refuse, SingleReply, type Reply } from './reply.js';
import { checkMirroredHeaders } from './request-checks.js';
import type { ScopeCheck } from './scope-check.js';
import type { Session, Sessions } from './sessions.js';
import type { SharedSessions } from './shared-sessions.js';
import type { TransportLoad } from './transport-load.port.js';

/** Revisions that know JSON-RPC batches. */
const BATCH_REVISIONS: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26']);

/** Longest batch that is served. */
const MAX_BATCH_MESSAGES = 100;

const SESSION_HEADER = 'mcp-session-id';
const REVISION_HEADER = 'mcp-protocol-version';

/** A parsed request to the endpoint. */
export interface InboundRequest extends RequestOrigin {
  readonly method: string;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
}

/** See the file's header. */
export class McpDispatcher implements TransportLoad {
  readonly #handshake = new HandshakeTransport(true);
  readonly #stateless = new StatelessTransport();

  constructor(
    private readonly factory: ServerFactory,
    private readonly sessions: Sessions,
    private readonly scopes: Pick<ScopeCheck, 'check'>,
    private readonly shared: SharedSessions | null = null,
  ) {}

  /** Connects the servers; once, before the first request. */
  async start(): Promise<void> {
    for (const transport of [this.#handshake, this.#stateless]) {
      await this.factory.create(transport.hub).connect(transport);
    }
    this.shared?.listen({
      forget: (id) => this.sessions.forget(id),
      take: (id, message) => void this.#takeHere(message, id),
    });
  }

  /** Hears nothing more from other replicas. */
  onModuleDestroy(): void {
    this.shared?.close();
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#handshake.hub.size + this.#stateless.hub.size;
  }

  get sessionCount(): number {
    return this.sessions.size;
  }

  /** Serves one request whose envelope was checked. The response is written here, now or later. */
  handle(request: InboundRequest, response: ServerResponse): void {
    const id = single(request.headers[SESSION_HEADER]);
    if (request.method === 'DELETE') void this.#end(id, request.principal, response);
    else if (this.shared === null || id === undefined) this.#route(request, response);
    else void this.#meet(this.shared, id, request).then(() => this.#route(request, response));
  }

  async #end(id: string | undefined, owner: Principal, response: ServerResponse): Promise<void> {
    const wasHere = id !== undefined && this.sessions.end(id, owner);
    const wasShared = id !== undefined && this.shared !== null && (await this.shared.end(id, owner));
    response.writeHead(wasHere || wasShared ? 204 : 404).end();
  }

  /** Looks for a session that this replica does not know, and keeps one in use alive for the others. */
  async #meet(shared: SharedSessions, id: string, { principal }: InboundRequest): Promise<void> {
    if (this.sessions.knows(id, principal)) {
      if (!this.sessions.isDueToShare(id, SHARE_USE_EVERY_MS)) return;
      const facts = this.sessions.factsOf(id);
      if ((await shared.touch(id, principal)) === undefined && facts) void shared.keep(id, principal, facts);
      return;
    }
    const facts = await shared.find(id, principal);
    if (facts) this.#share(shared, this.sessions.adopt(id, facts, principal), principal);
  }

  /** Tells other replicas what a session's client asks for later on. */
  #share(shared: SharedSessions, { id, memory }: Session, owner: Principal): void {
    memory.onChange = async () => {
      const facts = this.sessions.factsOf(id);
      if (facts) await shared.change(id, owner, facts);
    };
  }

  #route({ method, body, ...origin }: InboundRequest, response: ServerResponse): void {
    const { headers } = origin;
    const revision = single(headers[REVISION_HEADER]);
    if (Array.isArray(body)) {
      this.#handshakeBatch(body, origin, response);
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
        this.#statelessRequest(body, route.classification, origin, response);
        return;
      case 'legacy':
        this.#handshakeMessage(body, origin, response);
        return;
    }
  }

  #statelessRequest(
    body: unknown,
    classification: NonNullable<MessageExtraInfo['classification']>,
    origin: RequestOrigin,
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
    const mismatch = checkMirroredHeaders(origin.headers, message);
    if (mismatch) {
      refuse(response, mismatch.status, mismatch, { id: message.id });
      return;
    }
    const caller = callerOf(origin, undefined);
    if (this.#lacksScope([message], caller, response)) return;
    const reply = new SingleReply(response, true);
    const cancel = this.#stateless.hub.submit(message, reply, caller, {
      extra: { classification },
    });
    response.once('close', cancel);
  }

  #handshakeMessage(body: unknown, origin: RequestOrigin, response: ServerResponse): void {
    const message = parsed(body);
    if (!message) {
      refuse(response, 400, NOT_JSON_RPC, { id: idOf(body) });
      return;
    }
    const session = isInitialize(message) ? this.#open(message, origin, response) : this.#find(origin, response);
    if (session === 'refused') return;
    if ('method' in message && 'id' in message) {
      this.#submit([message], () => new SingleReply(response, false), { origin, session, response });
      return;
    }
    this.#take(message, session);
    response.writeHead(202).end();
  }

  #handshakeBatch(body: readonly unknown[], origin: RequestOrigin, response: ServerResponse): void {
    const revision = single(origin.headers[REVISION_HEADER]);
    if (revision !== undefined && !BATCH_REVISIONS.has(revision)) {
      const message = `JSON-RPC batches are not part of protocol revision ${JSON.stringify(revision.slice(0, 32))}.`;
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message });
      return;
    }
    const messages = body.slice(0, MAX_BATCH_MESSAGES + 1).map(parsed);
    const valid = messages.filter((message) => message !== undefined);
    const opening = valid.some(isInitialize);
    if (valid.length === 0 || valid.length < messages.length || messages.length > MAX_BATCH_MESSAGES || opening) {
      const message = `A batch holds 1 to ${MAX_BATCH_MESSAGES} JSON-RPC messages and no initialize request.`;
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message });
      return;
    }
    const session = this.#find(origin, response);
    if (session === 'refused') return;
    const requests: JSONRPCRequest[] = [];
    for (const message of valid) {
      if ('method' in message && 'id' in message) requests.push(message);
      else this.#take(message, session);
    }
    if (requests.length === 0) {
      response.writeHead(202).end();
      return;
    }
    const batch = new BatchReply(response, requests.length);
    this.#submit(requests, () => batch.part(), { origin, session, response });
  }

  /** The new session of a handshake. */
  #open(message: JSONRPCMessage, { principal }: RequestOrigin, response: ServerResponse): Session | 'refused' {
    if (!isInitializeRequest(message)) {
      refuse(response, 400, MALFORMED_HANDSHAKE, { id: idOf(message) });
      return 'refused';
    }
    const session = this.sessions.open(message.params, principal);
    if (this.shared) {
      this.#share(this.shared, session, principal);
      const facts = this.sessions.factsOf(session.id);
      if (facts) void this.shared.keep(session.id, principal, facts);
    }
    response.setHeader(SESSION_HEADER, session.id);
    return session;
  }

  /** The session that a request names, if any. */
  #find({ headers, principal }: RequestOrigin, response: ServerResponse): Session | undefined | 'refused' {
    const revision = single(headers[REVISION_HEADER]);
    if (revision !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
      const text = `Unsupported protocol version; supported: ${supported}, ${STATELESS_REVISION}.`;
      refuse(response, 400, { code: ProtocolErrorCode.InvalidRequest, message: text });
      return 'refused';
    }
    const sessionId = single(headers[SESSION_HEADER]);
    if (sessionId === undefined) return undefined;
    const session = this.sessions.touch(sessionId, principal);
    if (session) return session;
    refuse(response, 404, { code: ProtocolErrorCode.InvalidRequest, message: 'Session not found; initialize again.' });
    return 'refused';
  }

  /** A notification, or the answer to a question. */
  #take(message: JSONRPCMessage, session: Session | undefined): void {
    const isTaken = this.#takeHere(message, session?.id);
    if (!isTaken && session) this.shared?.forward(session.id, message);
  }

  /** Whether the message is about a request that runs here, or about none at all. */
  #takeHere(message: JSONRPCMessage, session: string | undefined): boolean {
    const { hub } = this.#handshake;
    if (!('method' in message)) return hub.receiveAnswer(message, session);
    if (message.method !== 'notifications/cancelled' || session === undefined) return true;
    return hub.cancelFromSession(session, message.params?.['requestId']);
  }

  /** Whether one of `requests` may not be made; then none runs, and all are answered. */
  #lacksScope(requests: readonly JSONRPCRequest[], caller: Caller, response: ServerResponse): boolean {
    const refusal = this.scopes.check(requests, caller);
    if (refusal === undefined) return false;
    const { status, headers = {}, ...error } = refusal;
    const [only, ...others] = requests;
    refuse(response, status, error, { id: others.length === 0 ? (only?.id ?? null) : null, headers });
    return true;
  }

  /** Hands requests in, and cancels them when their client goes away before the answers. */
  #submit(
    requests: readonly JSONRPCRequest[],
    replyTo: () => Reply,
    { origin, session, response }: HandshakeRequest,
  ): void {
    const caller = callerOf(origin, session?.memory);
    if (this.#lacksScope(requests, caller, response)) return;
    const cancels = requests.map((request) =>
      this.#handshake.hub.submit(request, replyTo(), caller, { session: session?.id }),
    );
    response.once('close', () => {
      for (const cancel of cancels) cancel();
    });
  }
}

/** How often other replicas are told that a session is in use. */
const SHARE_USE_EVERY_MS = 10_000;

/** Where requests of a revision with a handshake come from. */
interface HandshakeRequest {
  readonly origin: RequestOrigin;
  readonly session: Session | undefined;
  readonly response: ServerResponse;
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
