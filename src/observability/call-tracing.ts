/**
 * Spans of calls and of their fetches, by the conventions for MCP, through the API of OpenTelemetry: whoever loads an SDK decides where
 * they go, and without one this file is not loaded.
 *
 *     tools/call gopher_fetch          SERVER, from the request to its answer; child of the client's own span
 *       gopher fetch                   CLIENT where a server was asked, INTERNAL where a stored page answered
 *
 * No span holds a query, search terms, userinfo, a session's id or anything of a page.
 *
 * @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md
 */
import {
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { CallEnd, CallObserver, CallStart, WatchedCall } from '../common/call-observer.port.js';
import type { Clock } from '../common/clock.port.js';
import { sessionDigest } from '../common/session-digest.js';
import type { TraceContext } from '../common/trace-context.js';
import type { FetchObserver, FetchRecord } from '../fetch/index.js';

/** Most code units of a text that a client chose. */
const MAX_TEXT = 512;

/** What spans tell of this server. */
export interface CallTracingOptions {
  readonly version: string;
  readonly isHttp: boolean;
  readonly clock: Clock;
}

/** See the file's header. */
export class CallTracing implements CallObserver, FetchObserver {
  readonly #tracer: Tracer;
  readonly #transport: Attributes;
  readonly #clock: Clock;

  constructor({ version, isHttp, clock }: CallTracingOptions) {
    this.#tracer = trace.getTracer('gopher-mcp', version);
    this.#transport = isHttp
      ? { 'network.transport': 'tcp', 'network.protocol.name': 'http' }
      : { 'network.transport': 'pipe' };
    this.#clock = clock;
  }

  begin(call: CallStart): WatchedCall {
    const { parent, links } = placeOf(call.trace);
    const name = call.tool !== null && call.isKnownTool ? `${call.method} ${call.tool}` : call.method;
    const attributes = { ...this.#transport, ...attributesOf(call) };
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, parent);
    return { trace: traceOf(span), end: (end) => endSpan(span, end) };
  }

  /** Told when it has ended: the span is dated back. A fetch that belongs to no trace has none. */
  onFetch({ trace: place, request, protocol, kind, source, code, reason, bytes, durationMs }: FetchRecord): void {
    if (!place) return;
    const endMs = this.#clock.nowMs();
    const attributes: Attributes = {
      'network.protocol.name': protocol,
      'gopher_mcp.fetch.source': source,
      'gopher_mcp.fetch.kind': kind,
      'gopher_mcp.response.size': bytes,
    };
    if (request.host) attributes['server.address'] = request.host.slice(0, MAX_TEXT);
    if (request.port !== undefined) attributes['server.port'] = request.port;
    if (code !== undefined) attributes['error.type'] = code;
    if (reason !== undefined) attributes['gopher_mcp.error.reason'] = reason;
    const spanKind = source === 'wire' ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const options = { kind: spanKind, attributes, startTime: endMs - durationMs };
    const span = this.#tracer.startSpan(`${protocol} fetch`, options, contextOf(place, false));
    if (code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  }

  /** Hands on what is not exported yet, if whoever exports can; no longer than `withinMs`. Whether it was done in time. */
  async flush(withinMs: number): Promise<boolean> {
    const exporting = exporterOf(trace.getTracerProvider());
    if (!isFlushable(exporting)) return true;
    let cancelTimer = (): void => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancelTimer = this.#clock.setTimer(withinMs, () => resolve(false));
    });
    try {
      return await Promise.race([exporting.forceFlush().then(() => true), late]);
    } catch {
      return false;
    } finally {
      cancelTimer();
    }
  }
}

/**
 * Below a span that is active already (of an instrumented HTTP server) if it belongs to the client's trace, or the client named none;
 * else below the client's span, with a link to the active one.
 */
function placeOf(given: TraceContext | undefined): { readonly parent: Context; readonly links: Link[] } {
  const active = trace.getSpanContext(context.active());
  if (active === undefined || !isSpanContextValid(active))
    return { parent: given ? contextOf(given, true) : ROOT_CONTEXT, links: [] };
  if (given === undefined || given.traceId === active.traceId) return { parent: context.active(), links: [] };
  return { parent: contextOf(given, true), links: [{ context: active }] };
}

function contextOf({ traceId, parentId, sampled, state }: TraceContext, isRemote: boolean): Context {
  const spanContext: SpanContext = {
    traceId,
    spanId: parentId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote,
    ...(state === null ? {} : { traceState: createTraceState(state) }),
  };
  return trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function traceOf(span: Span): TraceContext | undefined {
  const own = span.spanContext();
  if (!isSpanContextValid(own)) return undefined;
  const { traceId, spanId: parentId, traceFlags, traceState } = own;
  return {
    traceId,
    parentId,
    sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
    state: traceState?.serialize() ?? null,
  };
}

function attributesOf(call: CallStart): Attributes {
  const { method, tool, isKnownTool, rpcId, revision, session, origin, targets, principal } = call;
  const attributes: Attributes = {
    'mcp.method.name': method,
    'jsonrpc.request.id': String(rpcId).slice(0, MAX_TEXT),
    'gopher_mcp.tenant': principal.tenant,
  };
  if (revision !== undefined) attributes['mcp.protocol.version'] = revision.slice(0, MAX_TEXT);
  if (session !== undefined) attributes['mcp.session.id'] = sessionDigest(session);
  if (origin.address !== undefined) attributes['client.address'] = origin.address;
  if (origin.requestId !== undefined) attributes['gopher_mcp.request.id'] = origin.requestId;
  const [target] = targets;
  if (tool === null && target !== undefined) attributes['mcp.resource.uri'] = target;
  if (tool !== null && isKnownTool) {
    attributes['gen_ai.operation.name'] = 'execute_tool';
    attributes['gen_ai.tool.name'] = tool;
  }
  return attributes;
}

function endSpan(span: Span, { outcome, code, rpcCode, bytes, failedItems }: CallEnd): void {
  span.setAttribute('gopher_mcp.outcome', outcome);
  if (bytes > 0) span.setAttribute('gopher_mcp.response.size', bytes);
  if (failedItems > 0) span.setAttribute('gopher_mcp.failed_items', failedItems);
  if (code !== undefined) span.setAttribute('gopher_mcp.error.code', code);
  if (rpcCode !== undefined) span.setAttribute('rpc.response.status_code', String(rpcCode));
  if (outcome === 'error' || outcome === 'cancelled') {
    const isRpcError = rpcCode !== undefined;
    span.setAttribute(
      'error.type',
      outcome === 'cancelled' ? 'cancelled' : isRpcError ? String(rpcCode) : 'tool_error',
    );
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** What the API hands out stands in front of what the SDK registered. */
function exporterOf(provider: object): object {
  if (!('getDelegate' in provider) || typeof provider.getDelegate !== 'function') return provider;
  const delegate: unknown = Reflect.apply(provider.getDelegate, provider, []);
  return typeof delegate === 'object' && delegate !== null ? delegate : provider;
}

function isFlushable(provider: object): provider is { forceFlush(): Promise<void> } {
  return 'forceFlush' in provider && typeof provider.forceFlush === 'function';
}
