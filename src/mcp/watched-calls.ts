/** Tells whoever records calls of one call: what it is when it begins, and how it ended. Only where somebody does. */
import {
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallEnd, CallObserver, CallStart, ClientInfo, WatchedCall } from '../common/call-observer.port.js';
import { isJsonObject, type JsonValue } from '../common/json.js';
import type { CallTargets } from './call-targets.js';
import { declared } from './envelope.js';
import type { RequestContext } from './request-context.js';

type McpRequest = ServerContext['mcpReq'];

/** What a request asks for. */
export type CallSubject = Pick<CallStart, 'method' | 'tool' | 'isKnownTool'> & CallTargets;

/** Begins to watch the request behind `context`, whose fetches then belong to the trace that the observer gives. */
export function beginCall(
  observer: CallObserver,
  subject: CallSubject,
  {
    context,
    mcpReq,
    server,
  }: { readonly context: RequestContext; readonly mcpReq: McpRequest; readonly server: Server },
): WatchedCall {
  const { caller, fetchContext } = context;
  const { handshake } = caller.memory ?? {};
  const revision = declared(mcpReq, PROTOCOL_VERSION_META_KEY);
  const watched = observer.begin({
    ...subject,
    principal: caller.principal,
    origin: { address: caller.address, requestId: caller.requestId },
    client: handshake?.client ?? clientInfo(declared(mcpReq, CLIENT_INFO_META_KEY)) ?? ownClient(context, server),
    session: handshake?.session,
    revision: typeof revision === 'string' ? revision : caller.revision,
    rpcId: context.clientRequestId,
    trace: fetchContext.trace,
  });
  if (watched.trace) context.fetchContext = { ...fetchContext, trace: watched.trace };
  return watched;
}

/** Runs a watched call: its end is told whatever becomes of it. */
export async function watch<T>(
  watched: WatchedCall,
  signal: AbortSignal,
  run: () => Promise<T>,
  endOf: (value: T) => CallEnd,
): Promise<T> {
  try {
    const value = await run();
    watched.end(signal.aborted ? CANCELLED : endOf(value));
    return value;
  } catch (thrown) {
    watched.end(signal.aborted ? CANCELLED : failed(thrown));
    throw thrown;
  }
}

const CANCELLED: CallEnd = { outcome: 'cancelled', code: undefined, bytes: 0, failedItems: 0 };

function failed(thrown: unknown): CallEnd {
  const rpcCode = thrown instanceof ProtocolError ? thrown.code : ProtocolErrorCode.InternalError;
  return { outcome: 'error', code: codeOf(thrown), rpcCode, bytes: 0, failedItems: 0 };
}

/** Ours where the error carries one, else that of JSON-RPC. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof ProtocolError)) return 'INTERNAL';
  const { data } = thrown;
  const own = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined;
  return typeof own === 'string' ? own : String(thrown.code);
}

function clientInfo(value: JsonValue | undefined): ClientInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, version } = value;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
}

/** A server of one client knows from its handshake who that is; a server of many only knows the last of them. */
function ownClient({ caller: { memory } }: RequestContext, server: Server): ClientInfo | undefined {
  return memory !== undefined && memory.capabilities === undefined ? server.getClientVersion() : undefined;
}
