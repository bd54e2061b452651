/** Spans as a collector gets them from a server that works. */
import { context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
// Loaded here: Jest cannot link modules at the same time that share what is not loaded yet, as the tools' behaviours do.
import '../../src/mcp/tools/gopher.behaviour.js';
import '../../src/observability/call-tracing.js';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { sessionDigest } from '../../src/common/session-digest.js';
import { gopherBatchFetch, gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { CollectorStub, type ExportedSpan } from '../support/collector-stub.js';
import { startHttpServer } from '../support/http-server.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';

const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;
const TRACE = 'a'.repeat(32);
const SPAN = 'b'.repeat(16);

let collector: CollectorStub;
let provider: NodeTracerProvider;
let gopher: SmallGopher;
let server: HttpServer;
const log: string[] = [];

beforeAll(async () => {
  collector = await CollectorStub.start();
  const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
  provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
});

afterAll(async () => {
  await provider.shutdown();
  await collector.close();
  trace.disable();
  context.disable();
});

beforeEach(async () => {
  log.length = 0;
  collector.spans.length = 0;
  collector.text = '';
  gopher = await SmallGopher.start(() => 'hello\r\n');
  const settings = { ...LOCAL_GOPHER, GOPHER_MCP_LOG_LEVEL: 'DEBUG' };
  server = await startHttpServer([gopherFetch, gopherBatchFetch], settings, log);
});

afterEach(() => gopher.close());

/** Ends the server, which exports what is left; the spans in the order in which they ended. */
async function spans(): Promise<readonly ExportedSpan[]> {
  await server.close();
  return collector.spans;
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

async function post(message: object, headers: Record<string, string> = {}): Promise<Headers> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'client-id', ...message });
  const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
  await answer.text();
  return answer.headers;
}

const call = (name: string, args: object, meta?: object): object => ({
  method: 'tools/call',
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
});

test('a call is a span of the client\u2019s trace, and its fetch is a span below it', async () => {
  const answer = await post(call('gopher_fetch', { url: gopher.url('0/a') }), {
    traceparent: `00-${TRACE}-${SPAN}-01`,
  });
  const [fetched, called] = await spans();
  expect(called).toMatchObject({
    traceId: TRACE,
    parentSpanId: SPAN,
    name: 'tools/call gopher_fetch',
    kind: SERVER,
    status: 0,
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'gopher_fetch',
      'jsonrpc.request.id': 'client-id',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'client.address': '127.0.0.1',
      'gopher_mcp.tenant': 'local',
      'gopher_mcp.request.id': answer.get('x-request-id'),
      'gopher_mcp.outcome': 'ok',
    },
  });
  expect(called?.attributes).not.toHaveProperty('error.type');
  expect(fetched).toMatchObject({
    traceId: TRACE,
    parentSpanId: called?.spanId,
    name: 'gopher fetch',
    kind: CLIENT,
    attributes: {
      'network.protocol.name': 'gopher',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(gopher.url('').replace('gopher', 'http')).port),
      'gopher_mcp.fetch.source': 'wire',
      'gopher_mcp.fetch.kind': 'text',
    },
  });
  expect(fetched?.startMs).toBeGreaterThanOrEqual((called?.startMs ?? Infinity) - 1);
  expect(fetched?.endMs).toBeLessThanOrEqual((called?.endMs ?? 0) + 1);
  expect(
    log.map((line): unknown => JSON.parse(line)).filter((record) => 'trace_id' in (record as object)),
  ).toMatchObject([
    { event: 'fetch done', trace_id: TRACE },
    { event: 'request served', trace_id: TRACE },
  ]);
});

test('the trace in the message goes before that of the HTTP request', async () => {
  const meta = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` };
  await post(call('gopher_fetch', { url: gopher.url('0/a') }, meta), { traceparent: `00-${TRACE}-${SPAN}-01` });
  const [, called] = await spans();
  expect(called).toMatchObject({ traceId: 'c'.repeat(32), parentSpanId: 'd'.repeat(16) });
});

test('a call without a trace begins one, which its fetches and the log belong to', async () => {
  await post(call('gopher_batch_fetch', { urls: [gopher.url('0/a'), gopher.url('0/b')] }));
  const [first, second, called] = await spans();
  expect(called?.parentSpanId).toBeUndefined();
  for (const fetched of [first, second])
    expect(fetched).toMatchObject({ traceId: called?.traceId, parentSpanId: called?.spanId });
  expect(log.join('')).toContain(`"trace_id":"${called?.traceId ?? '?'}"`);
});

test('a trace that its client does not record is not recorded here', async () => {
  await post(call('gopher_fetch', { url: gopher.url('0/a') }), { traceparent: `00-${TRACE}-${SPAN}-00` });
  expect(await spans()).toEqual([]);
});

test('a stored page is no request to its server', async () => {
  await post(call('gopher_fetch', { url: gopher.url('0/a') }));
  await post(call('gopher_fetch', { url: gopher.url('0/a') }));
  const fetches = (await spans()).filter(({ name }) => name === 'gopher fetch');
  expect(fetches.map(({ kind, attributes }) => [kind, attributes['gopher_mcp.fetch.source']])).toEqual([
    [CLIENT, 'wire'],
    [INTERNAL, 'cache'],
  ]);
});

test('what goes wrong says so: tool, protocol, resource', async () => {
  await post(call('gopher_fetch', { url: 'gopher://127.0.0.1:22/0/a' }));
  await post(call('no_such_tool', {}));
  await post({ method: 'resources/read', params: { uri: 'file:///etc/passwd' } });
  const found = await spans();
  const [refused, tool, unknown, resource] = found;
  expect(found).toHaveLength(4);
  expect(refused).toMatchObject({
    status: ERROR,
    attributes: { 'error.type': 'BLOCKED', 'gopher_mcp.error.reason': 'port' },
  });
  expect(tool).toMatchObject({
    status: ERROR,
    attributes: { 'error.type': 'tool_error', 'gopher_mcp.error.code': 'BLOCKED' },
  });
  expect(unknown).toMatchObject({
    name: 'tools/call',
    status: ERROR,
    attributes: { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
  });
  expect(unknown?.attributes).not.toHaveProperty('gen_ai.tool.name');
  expect(resource).toMatchObject({
    name: 'resources/read',
    status: ERROR,
    attributes: { 'mcp.resource.uri': 'file:///etc/passwd', 'mcp.method.name': 'resources/read' },
  });
});

test('a span knows its session and its revision, and tells no secret', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'spec', version: '1' } };
  const session = (await post({ method: 'initialize', params })).get('mcp-session-id') ?? '';
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25', authorization: 'Bearer hush-0' };
  await post(call('gopher_fetch', { url: gopher.url('7/find'), search: 'hush-1' }), headers);
  await post(call('gopher_fetch', { url: 'gopher://user:hush-2@127.0.0.1:22/7/find?hush-3' }), headers);
  await post({ method: 'resources/read', params: { uri: 'gopher://user:hush-4@127.0.0.1:22/7/a%09hush-5' } }, headers);
  const called = (await spans()).filter(({ kind }) => kind === SERVER);
  expect(called).toHaveLength(3);
  for (const { attributes } of called) {
    expect(attributes).toMatchObject({
      'mcp.session.id': sessionDigest(session),
      'mcp.protocol.version': '2025-11-25',
    });
  }
  expect(collector.text).not.toContain('hush');
  expect(collector.text).not.toContain(session);
});
