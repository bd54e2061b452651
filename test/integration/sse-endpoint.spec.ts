import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LOCAL_PRINCIPAL } from '../../src/common/principal.js';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { ServerFactory, TOOL_TABLE } from '../../src/mcp/index.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { PING_EVERY_MS, SseDispatcher } from '../../src/mcp/transports/http/sse-dispatcher.js';
import { FakeClock } from '../support/fake-clock.js';
import { startHttpServer } from '../support/http-server.js';

/** Everybody may do everything. */
const NO_SCOPES = { check: () => undefined };

const SSE = { GOPHER_MCP_TRANSPORT: 'sse' };
const JSON_TYPE = { 'content-type': 'application/json' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One raw request: fetch would set Host and Origin itself. */
async function send(
  url: string,
  method: string,
  { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  const outgoing = request(url, { method, headers });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (incoming === undefined) throw new Error('there is no response');
  let text = '';
  for await (const piece of incoming) text += String(piece);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: text };
}

const post = (url: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
  send(url, 'POST', {
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** An open event stream. */
class Stream {
  #text = '';
  #ended = false;
  #changed: () => void = () => undefined;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      this.#text += piece;
      this.#changed();
    });
    response.on('close', () => {
      this.#ended = true;
      this.#changed();
    });
    response.on('error', () => undefined);
  }

  static async open(url: string): Promise<Stream> {
    const outgoing = request(`${url}/sse`, { headers: { accept: 'text/event-stream' } });
    outgoing.on('error', () => undefined);
    outgoing.end();
    const [response]: IncomingMessage[] = await once(outgoing, 'response');
    if (response === undefined) throw new Error('there is no response');
    return new Stream(response);
  }

  /** Everything that has arrived, as soon as it holds `text`. */
  async until(text: string): Promise<string> {
    while (!this.#text.includes(text)) {
      if (this.#ended) throw new Error(`the stream ended: ${this.#text}`);
      await this.#change();
    }
    return this.#text;
  }

  /** Where messages are posted, as the first event says. */
  async endpoint(): Promise<string> {
    return /^event: endpoint\ndata: (\S+)\n\n/.exec(await this.until('\n\n'))?.[1] ?? '';
  }

  async end(): Promise<void> {
    while (!this.#ended) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}

describe('the endpoints of HTTP+SSE', () => {
  let server: HttpServer;

  beforeEach(async () => {
    server = await startHttpServer([gopherFetch], {
      ...SSE,
      GOPHER_MCP_MAX_BODY_BYTES: '4096',
      GOPHER_MCP_MAX_SESSIONS: '1',
    });
  });

  afterEach(() => server.close());

  test('the stream says first where to post, a message is accepted, its answer comes over the stream', async () => {
    const stream = await Stream.open(server.url);
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    const endpoint = await stream.endpoint();
    expect(endpoint).toMatch(/^\/messages\/\?session_id=[0-9a-f]{32}$/);
    expect(await post(server.url + endpoint, PING)).toMatchObject({ status: 202, body: 'Accepted' });
    expect(await stream.until('"id":1')).toContain('event: message\ndata: {"result":{},"jsonrpc":"2.0","id":1}\n\n');
  });

  test('a tool result is spliced into its event', async () => {
    const stream = await Stream.open(server.url);
    const params = { name: 'gopher_fetch', arguments: { url: 'gopher://127.0.0.1:25/' } };
    await post(server.url + (await stream.endpoint()), { jsonrpc: '2.0', id: 'x', method: 'tools/call', params });
    const text = await stream.until('"id":"x"').then(() => stream.until('}\n\n'));
    const message: unknown = JSON.parse(/event: message\ndata: (.*)\n\n/.exec(text)?.[1] ?? '');
    expect(message).toMatchObject({
      id: 'x',
      result: { isError: true, structuredContent: { error: { code: 'BLOCKED' } }, content: [{ type: 'text' }] },
    });
  });

  test.each<[string, number, string, string, OutgoingHttpHeaders]>([
    ['a foreign Host at the stream', 421, 'GET', '/sse', { host: 'evil.example' }],
    ['a foreign Origin at the stream', 403, 'GET', '/sse', { origin: 'https://evil.example' }],
    ['a foreign Host at the messages', 421, 'POST', '/messages/?session_id=x', { ...JSON_TYPE, host: 'evil.example' }],
    [
      'a foreign Origin at the messages',
      403,
      'POST',
      '/messages/?session_id=x',
      { ...JSON_TYPE, origin: 'https://evil.example' },
    ],
    ['another content type', 415, 'POST', '/messages/?session_id=x', { 'content-type': 'text/plain' }],
    ['no session', 400, 'POST', '/messages/', JSON_TYPE],
    ['an unknown session', 404, 'POST', '/messages/?session_id=x', JSON_TYPE],
    ['an unknown session without the slash', 404, 'POST', '/messages?session_id=x', JSON_TYPE],
    ['two sessions', 400, 'POST', '/messages/?session_id=x&session_id=y', JSON_TYPE],
  ])('%s is refused with %i', async (_name, status, method, path, headers) => {
    const answer = await send(server.url + path, method, { headers, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  test.each([
    ['POST', '/sse', 'GET'],
    ['HEAD', '/sse', 'GET'],
    ['GET', '/messages/', 'POST'],
    ['DELETE', '/messages/', 'POST'],
  ])('%s %s is told that %s is served', async (method, path, allow) => {
    const answer = await send(server.url + path, method);
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  test.each<[string, number, string, number]>([
    ['malformed JSON', 400, '{"jsonrpc":', -32700],
    ['what is no JSON-RPC', 400, '{"hello":1}', -32600],
    ['a batch', 400, '[]', -32600],
    ['too much', 413, `"${'x'.repeat(5000)}"`, -32600],
  ])('%s is refused with %i', async (_name, status, body, code) => {
    const stream = await Stream.open(server.url);
    const answer = await post(server.url + (await stream.endpoint()), body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
  });

  test('streams are capped; a closed one makes room and takes its session along', async () => {
    const first = await Stream.open(server.url);
    const endpoint = await first.endpoint();
    const refused = await send(`${server.url}/sse`, 'GET');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
    first.response.destroy();
    await first.end();
    let second = await Stream.open(server.url);
    // The server may hear of the end a moment later than we do.
    while (second.response.statusCode === 503) second = await Stream.open(server.url);
    expect(await second.endpoint()).not.toBe(endpoint);
    expect((await post(server.url + endpoint, PING)).status).toBe(404);
  });

  test('a server that stops ends its streams', async () => {
    const own = await startHttpServer([gopherFetch], SSE);
    const stream = await Stream.open(own.url);
    await stream.endpoint();
    await own.close();
    await stream.end();
  });
});

describe('one transport is served at a time', () => {
  test.each([
    ['sse', ['/mcp'], ['/sse', '/messages/']],
    ['streamable-http', ['/sse', '/messages/'], ['/mcp']],
  ])('%s: not %j, but %j', async (transport, absent, present) => {
    const server = await startHttpServer([gopherFetch], { GOPHER_MCP_TRANSPORT: transport });
    for (const path of absent) expect([path, (await post(server.url + path, PING)).status]).toEqual([path, 404]);
    for (const path of present) expect([path, (await send(server.url + path, 'PUT')).status]).toEqual([path, 405]);
    expect((await send(`${server.url}/health`, 'GET')).status).toBe(200);
    await server.close();
  });
});

describe('a stream', () => {
  let clock: FakeClock;
  let http: Server;
  let url: string;

  /** The dispatcher alone: GET opens a stream, POST asks for the list of tools. */
  async function serve(options: { maxUnreadBytes?: number } = {}, sender = LOCAL_PRINCIPAL): Promise<void> {
    clock = new FakeClock();
    const services = (): Promise<never> => Promise.reject(new Error('no service is needed here'));
    const factory = new ServerFactory({ version: '0.0.0', tools: TOOL_TABLE, templates: [], services });
    const dispatcher = new SseDispatcher(factory, NO_SCOPES, { maxConnections: 2, clock, ...options });
    await dispatcher.start();
    http = createServer(({ method, url: path = '' }, response) => {
      if (method === 'GET') dispatcher.open(LOCAL_PRINCIPAL, response);
      else
        dispatcher.receive(
          path.slice(-32),
          { principal: sender, address: '127.0.0.1', headers: {} },
          { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          response,
        );
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const address = http.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  afterEach(() => {
    http.closeAllConnections();
    http.close();
  });

  test.each([
    ['subject', { ...LOCAL_PRINCIPAL, subject: 'mallory' }],
    ['tenant', { ...LOCAL_PRINCIPAL, tenant: 'other' }],
  ])('of another %s is as unknown as none', async (_what, sender) => {
    await serve({}, sender);
    const stream = await Stream.open(url);
    const foreign = await fetch(url + (await stream.endpoint()), { method: 'POST' });
    const unknown = await fetch(`${url}/messages/?session_id=${'0'.repeat(32)}`, { method: 'POST' });
    expect([foreign.status, await foreign.text()]).toEqual([404, await unknown.text()]);
  });

  test('is pinged for as long as it is open', async () => {
    await serve();
    const stream = await Stream.open(url);
    await stream.endpoint();
    clock.advance(PING_EVERY_MS);
    await stream.until(': ping\n\n');
    clock.advance(PING_EVERY_MS);
    await stream.until(': ping\n\n: ping\n\n');
  });

  test('ends when its client stops reading', async () => {
    await serve({ maxUnreadBytes: 1_000_000 });
    const stream = await Stream.open(url);
    const endpoint = url + (await stream.endpoint());
    stream.response.pause();
    // Lists of 40 kB that nobody reads; what the kernel takes of them is a few megabytes.
    let answer = await post(endpoint, '');
    for (let i = 0; i < 2000 && answer.status === 202; i++) answer = await post(endpoint, '');
    expect(answer.status).toBe(404);
  });
});
