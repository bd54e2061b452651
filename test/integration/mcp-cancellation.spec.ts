/**
 * Whoever takes a call back, in whatever way its transport has for that, frees the connection to the far server at once.
 * Measured at a Gopher server that never answers, from the moment the client gives up.
 */
import { request, type ClientRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { serveReal, type ClientKind, type RealServer, type Wiring } from '../support/real-clients.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';

/** Longest time from giving up to the end of the connection. */
const WITHIN_MS = 100;

/** A busy machine only ever adds time, so the fastest of a few attempts is the one that counts. */
const ATTEMPTS = 3;

const STATELESS = '2026-07-28';

let gopher: SmallGopher;
let server: RealServer;

beforeEach(async () => {
  gopher = await SmallGopher.start(() => null);
});

afterEach(() => gopher.close());

/** Time between `giveUp` and the end of all connections; `start` begins a call each time. */
async function fastest(
  start: (attempt: number) => (() => void) | Promise<() => void>,
  connections = 1,
): Promise<number> {
  let best = Infinity;
  for (let attempt = 1; attempt <= ATTEMPTS && best > WITHIN_MS; attempt++) {
    const giveUp = await start(attempt);
    await gopher.waiting(connections);
    const startedMs = performance.now();
    giveUp();
    await gopher.idle();
    best = Math.min(best, performance.now() - startedMs);
  }
  return best;
}

describe.each<[Wiring, ClientKind]>([
  ['stdio', 'v1'],
  ['stdio', 'v2'],
  ['stdio', 'v2 stateless'],
  ['http', 'v1'],
  ['http', 'v2'],
  ['http', 'v2 stateless'],
  ['sse', 'v1'],
])('a client that cancels over %s, client %s', (wiring, kind) => {
  beforeAll(async () => {
    server = await serveReal(wiring, LOCAL_GOPHER);
  });

  afterAll(() => server.close());

  test('ends the fetch', async () => {
    const client = await server.connect(kind);
    const elapsedMs = await fastest((attempt) => {
      const abort = new AbortController();
      const call = client.callTool('gopher_fetch', { url: gopher.url(`0/${attempt}`) }, { signal: abort.signal });
      call.catch(() => undefined);
      return () => abort.abort();
    });
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
    // The connection to our server is still good.
    expect(await client.toolNames()).toContain('gopher_fetch');
    await client.close();
  });

  test('ends every fetch of a batch', async () => {
    const client = await server.connect(kind);
    const elapsedMs = await fastest((attempt) => {
      const abort = new AbortController();
      const urls = ['a', 'b', 'c', 'd'].map((name) => gopher.url(`0/${name}${attempt}`));
      client.callTool('gopher_batch_fetch', { urls }, { signal: abort.signal }).catch(() => undefined);
      return () => abort.abort();
    }, 4);
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
    await client.close();
  });
});

describe('a client that goes away', () => {
  let open: ClientRequest;

  beforeAll(async () => {
    server = await serveReal('http', LOCAL_GOPHER);
  });

  afterAll(() => server.close());

  /** Posts a message and leaves the response open. */
  function post(message: object, headers: Record<string, string> = {}): void {
    open = request(`${server.url}/mcp`, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    });
    open.on('error', () => undefined);
    open.end(JSON.stringify(message));
  }

  const fetching = (attempt: number, meta: object = {}): object => ({
    jsonrpc: '2.0',
    id: attempt,
    method: 'tools/call',
    params: { name: 'gopher_fetch', arguments: { url: gopher.url(`0/${attempt}`) }, ...meta },
  });

  test('ends its fetch by closing the response, with a handshake', async () => {
    const elapsedMs = await fastest((attempt) => {
      post(fetching(attempt));
      return () => open.destroy();
    });
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
  });

  test('ends its fetches by closing the response of a batch', async () => {
    const elapsedMs = await fastest((attempt) => {
      post([1, 2, 3].map((part) => fetching(10 * attempt + part)));
      return () => open.destroy();
    }, 3);
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
  });

  test('ends its fetch by closing the response, without a handshake', async () => {
    const headers = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': 'gopher_fetch' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': STATELESS,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const elapsedMs = await fastest((attempt) => {
      post(fetching(attempt, { _meta }), headers);
      return () => open.destroy();
    });
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
  });

  test.each<[Wiring, ClientKind]>([
    ['stdio', 'v2'],
    ['sse', 'v1'],
  ])('ends its fetch by closing its connection: %s', async (wiring, kind) => {
    const own = await serveReal(wiring, LOCAL_GOPHER);
    const elapsedMs = await fastest(async (attempt) => {
      const client = await own.connect(kind);
      client.callTool('gopher_fetch', { url: gopher.url(`0/${attempt}`) }).catch(() => undefined);
      return () => void client.close();
    });
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
    await own.close();
  });
});

describe('a request that was cancelled by notification', () => {
  test('is not answered: its response ends as an empty stream, and the batch it was part of without it', async () => {
    const http = await serveReal('http', LOCAL_GOPHER);
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const send = (message: object, session = ''): Promise<Response> =>
      fetch(`${http.url}/mcp`, {
        method: 'POST',
        headers: session === '' ? headers : { ...headers, 'mcp-session-id': session },
        body: JSON.stringify(message),
      });
    const opened = await send({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    });
    const session = opened.headers.get('mcp-session-id') ?? '';
    const call = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'gopher_fetch', arguments: { url: gopher.url(`0/${id}`) } },
    });
    const cancel = (requestId: number): Promise<Response> =>
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, session);

    const alone = send(call(1), session);
    await gopher.waiting(1);
    await cancel(1);
    expect([(await alone).headers.get('content-type'), await (await alone).text()]).toEqual(['text/event-stream', '']);

    const batch = send([call(2), { jsonrpc: '2.0', id: 3, method: 'ping' }], session);
    await gopher.waiting(1);
    await cancel(2);
    expect(await (await batch).json()).toEqual([{ jsonrpc: '2.0', id: 3, result: {} }]);

    const none = send([call(4)], session);
    await gopher.waiting(1);
    await cancel(4);
    expect(await (await none).text()).toBe('');
    await http.close();
  });
});
