/**
 * The official clients against our server, inside this process: over streams as on stdio, over Streamable HTTP, over HTTP+SSE.
 * What differs between the two client libraries ends here, so that a test says what it wants once.
 */
import { PassThrough } from 'node:stream';
import { Client as ClientV2, StreamableHTTPClientTransport as StreamableHttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as StreamableHttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
// Loaded here: Jest cannot link modules at the same time that share what is not loaded yet, as the tools' behaviours do.
import '../../src/mcp/tools/gemini.behaviour.js';
import '../../src/mcp/tools/gopher.behaviour.js';
import '../../src/mcp/tools/identity.behaviour.js';
import '../../src/mcp/tools/trust.behaviour.js';
import { serveHttp } from '../../src/bin/serve-http.js';
import { loadConfig } from '../../src/config/index.js';
import { openLog } from '../../src/logging/index.js';
import { ServerFactory, servedTemplates, TEMPLATE_TABLE, TOOL_TABLE, type Tool } from '../../src/mcp/index.js';
import { connectStdio } from '../../src/mcp/transports/stdio/index.js';
import { buildServiceGraph, type ServiceGraph } from '../../src/service-graph.js';

/** A client library and the revision that it speaks. */
export type ClientKind = 'v1' | 'v2' | 'v2 stateless';

/** How client and server are connected. */
export type Wiring = 'stdio' | 'http' | 'sse';

/** The revision without a handshake. */
const STATELESS_REVISION = '2026-07-28';

/** A message of the server's log. */
export interface LogMessage {
  readonly level: string;
  readonly data: unknown;
}

/** What a person answers to a question. */
export type PersonsAnswer = {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: { confirm: boolean };
};

/** How a client is. */
export interface ClientTraits {
  /** Present: the client declares elicitation, and answers so. */
  readonly onQuestion?: (message: string) => PersonsAnswer | Promise<PersonsAnswer>;
  /** Sent with every HTTP request. */
  readonly headers?: Record<string, string>;
}

/** What goes with a call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly meta?: Record<string, unknown>;
  /** Present: asks for progress. */
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number | undefined }) => void;
}

/** A connected client. */
export interface RealClient {
  readonly callTool: (
    name: string,
    args: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<{ readonly structuredContent?: unknown; readonly isError?: boolean | undefined }>;
  readonly toolNames: () => Promise<string[]>;
  readonly templates: () => Promise<{ uriTemplate: string; name: string }[]>;
  readonly read: (
    uri: string,
  ) => Promise<{ uri: string; text?: unknown; mimeType?: string | undefined; _meta?: unknown }[]>;
  /** Completes `url` of the prompt explore_capsule, or `path` of a template. */
  readonly complete: (of: 'prompt' | { readonly template: string }, value: string) => Promise<readonly string[]>;
  readonly setLevel: (level: 'debug' | 'info' | 'error') => Promise<void>;
  /** Log messages that arrived, in order. */
  readonly messages: readonly LogMessage[];
  readonly close: () => Promise<void>;
}

/** A running server. */
export interface RealServer {
  /** Origin of the HTTP server; empty on stdio. */
  readonly url: string;
  readonly connect: (kind: ClientKind, traits?: ClientTraits) => Promise<RealClient>;
  /** Lines of the server's log. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

/** Serves `tools` (all by default) over `wiring`, with these variables. */
export async function serveReal(
  wiring: Wiring,
  env: Record<string, string> = {},
  { tools = TOOL_TABLE, answerWithinMs }: { readonly tools?: readonly Tool[]; readonly answerWithinMs?: number } = {},
): Promise<RealServer> {
  const transport = wiring === 'http' ? 'streamable-http' : wiring;
  const config = loadConfig({ GOPHER_MCP_PORT: '0', GOPHER_MCP_TRANSPORT: transport, ...env });
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const log: string[] = [];
  const opened = openLog(config.value.server, { stderr: { write: (line) => void log.push(line) } });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const templates = servedTemplates(TEMPLATE_TABLE, tools);
  const machine = { env, platform: process.platform };
  const options = { version: '0.0.0', config: config.value, log: opened.value.log, machine, tools, templates };
  if (wiring !== 'stdio') {
    const server = await serveHttp(options, opened.value);
    const connect: RealServer['connect'] = (kind, traits = {}) => connectHttp(wiring, server.url, kind, traits);
    return { url: server.url, connect, log, close: () => server.close() };
  }
  const graph = await buildServiceGraph(options);
  const services = (): Promise<ServiceGraph> => Promise.resolve(graph);
  const factory = new ServerFactory({
    version: '0.0.0',
    tools,
    templates,
    services,
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  });
  return {
    url: '',
    connect: (kind, traits = {}) => connectStreams(factory, kind, traits),
    log,
    close: () => graph.close(),
  };
}

async function connectStreams(factory: ServerFactory, kind: ClientKind, traits: ClientTraits): Promise<RealClient> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const connection = connectStdio(factory, {
    input: toServer,
    output: toClient,
    onGreeted: () => undefined,
    onError: () => undefined,
  });
  const client =
    kind === 'v1'
      ? await connectV1(traits, streamTransport(toServer, toClient))
      : await connectV2(kind, traits, streamTransport(toServer, toClient));
  return {
    ...client,
    close: async () => {
      await client.close();
      await connection.close();
    },
  };
}

/** Connects a client to a server that listens at `origin`. */
export async function connectHttp(
  wiring: Wiring,
  origin: string,
  kind: ClientKind,
  traits: ClientTraits,
): Promise<RealClient> {
  const requestInit = { headers: traits.headers ?? {} };
  if (wiring === 'sse') return connectV1(traits, new SSEClientTransport(new URL(`${origin}/sse`), { requestInit }));
  const url = new URL(`${origin}/mcp`);
  return kind === 'v1'
    ? connectV1(traits, new StreamableHttpV1(url, { requestInit }))
    : connectV2(kind, traits, new StreamableHttpV2(url, { requestInit }));
}

const INFO = { name: 'gopher-mcp-tests', version: '1' };

type TransportV1 = Parameters<ClientV1['connect']>[0];
type TransportV2 = Parameters<ClientV2['connect']>[0];

async function connectV1({ onQuestion }: ClientTraits, transport: TransportV1): Promise<RealClient> {
  const client = new ClientV1(INFO, { capabilities: onQuestion ? { elicitation: { form: {} } } : {} });
  const messages: LogMessage[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params));
  if (onQuestion)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await onQuestion(params.message)) }));
  await client.connect(transport);
  return {
    callTool: async (name, args, { meta, ...options } = {}) => {
      const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
      const result = await client.callTool(params, undefined, options);
      return { structuredContent: result.structuredContent, isError: result.isError === true };
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    complete: async (of, value) => (await client.complete(completionRequest(of, value))).completion.values,
    setLevel: async (level) => {
      await client.setLoggingLevel(level);
    },
    messages,
    close: () => client.close(),
  };
}

async function connectV2(
  kind: Exclude<ClientKind, 'v1'>,
  { onQuestion }: ClientTraits,
  transport: TransportV2,
): Promise<RealClient> {
  const client = new ClientV2(INFO, {
    capabilities: onQuestion ? { elicitation: { form: {} } } : {},
    ...(kind === 'v2 stateless' ? { versionNegotiation: { mode: { pin: STATELESS_REVISION } } } : {}),
  });
  const messages: LogMessage[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params));
  if (onQuestion) client.setRequestHandler('elicitation/create', async ({ params }) => onQuestion(params.message));
  await client.connect(transport);
  return {
    callTool: (name, args, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) }, options),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    complete: async (of, value) => (await client.complete(completionRequest(of, value))).completion.values,
    setLevel: async (level) => {
      await client.setLoggingLevel(level);
    },
    messages,
    close: () => client.close(),
  };
}

function completionRequest(of: Parameters<RealClient['complete']>[0], value: string) {
  return of === 'prompt'
    ? { ref: { type: 'ref/prompt' as const, name: 'explore_capsule' }, argument: { name: 'url', value } }
    : { ref: { type: 'ref/resource' as const, uri: of.template }, argument: { name: 'path', value } };
}

/** What both libraries ask of a transport, over a pair of streams with one message a line. */
function streamTransport(output: PassThrough, input: PassThrough): TransportV1 & TransportV2 {
  let pending = '';
  const transport: TransportV1 & TransportV2 = {
    start: () => {
      input.setEncoding('utf8');
      input.on('data', (piece: string) => {
        const lines = (pending + piece).split('\n');
        pending = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
      return Promise.resolve();
    },
    send: (message) => {
      output.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => {
      output.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
