/** What is known of a running request beside its parameters: who makes it, and what it wants to hear of its fetches. */
import {
  LOG_LEVEL_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  type LoggingLevel,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { parseTraceContext } from '../common/trace-context.js';
import type { FetchContext, FetchRecord } from '../fetch/index.js';
import type { Caller, ServerLink } from './caller.js';
import { declared } from './envelope.js';
import { FETCH_LOGGER, fetchMessage, isLevel } from './fetch-message.js';

/** See the file's header. */
export class RequestContext {
  readonly caller: Caller;
  /** Handed to every fetch of the request; whoever watches the call may put a trace of its own in. */
  fetchContext: FetchContext;
  /** Id of the request, as its client chose it. */
  readonly clientRequestId: RequestId;
  readonly #request: ServerContext['mcpReq'];
  readonly #logLevel: LoggingLevel | undefined;

  constructor(link: ServerLink, request: ServerContext['mcpReq']) {
    this.#request = request;
    this.caller = link.callerOf(request.id);
    this.clientRequestId = link.clientIdOf(request.id);
    this.#logLevel = logLevelOf(link, request, this.caller);
    const { _meta: meta } = request;
    this.fetchContext = {
      principal: this.caller.principal,
      trace: parseTraceContext(meta?.[TRACEPARENT_META_KEY], meta?.[TRACESTATE_META_KEY]) ?? this.caller.trace,
      requestId: this.caller.requestId,
      onFetch: (record) => this.#onFetch(record),
    };
  }

  /** Tells the caller how far it is; does nothing when it did not ask. */
  progress(finished: number, total: number): void {
    const progressToken = this.#request._meta?.progressToken;
    if (progressToken === undefined) return;
    const params = { progressToken, progress: finished, total, message: `${finished} of ${total} fetched` };
    this.#notify({ method: 'notifications/progress', params });
  }

  /** Keeps the answer out of the chunk of the last notification: some clients lose a notification that shares one with it. */
  async beforeAnswer(): Promise<void> {
    if (this.#request._meta?.progressToken === undefined && this.#logLevel === undefined) return;
    await new Promise((resolve) => setImmediate(resolve));
  }

  #onFetch(record: FetchRecord): void {
    if (record.code === undefined && record.request.url !== undefined)
      this.caller.memory?.visits.add(record.request.url);
    if (this.#logLevel === undefined) return;
    const message = fetchMessage(record, this.#logLevel);
    if (message) this.#notify({ method: 'notifications/message', params: { ...message, logger: FETCH_LOGGER } });
  }

  /** A client that does not take its notifications loses nothing but them. */
  #notify(notification: Parameters<ServerContext['mcpReq']['notify']>[0]): void {
    this.#request.notify(notification).catch(() => undefined);
  }
}

/** A stateless request says itself which messages it wants; a caller with a memory said so once (logging/setLevel). */
function logLevelOf(
  { stateless }: ServerLink,
  request: ServerContext['mcpReq'],
  { memory }: Caller,
): LoggingLevel | undefined {
  if (!stateless) return memory?.logLevel;
  const level = declared(request, LOG_LEVEL_META_KEY);
  return isLevel(level) ? level : undefined;
}
