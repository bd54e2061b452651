import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveReal, type ClientKind, type RealClient, type RealServer, type Wiring } from '../support/real-clients.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

let gopher: SmallGopher;

beforeAll(async () => {
  gopher = await SmallGopher.start(() => 'Hello.\r\n.\r\n');
});

afterAll(() => gopher.close());

describe.each<[Wiring, ClientKind]>([
  ['stdio', 'v1'],
  ['stdio', 'v2'],
  ['http', 'v1'],
  ['http', 'v2'],
  ['sse', 'v1'],
])('log messages over %s, client %s', (wiring, kind) => {
  let server: RealServer;
  let client: RealClient;

  beforeAll(async () => {
    server = await serveReal(wiring, LOCAL_GOPHER);
    client = await server.connect(kind);
  });

  afterAll(async () => {
    await client.close();
    await server.close();
  });

  test('a client that never asked gets none', async () => {
    await client.callTool('gopher_fetch', { url: gopher.url('0/a') });
    expect(client.messages).toEqual([]);
  });

  test('a client that asked gets one for each of its fetches, and no other client does', async () => {
    const other = await server.connect(kind);
    await client.setLevel('debug');
    await client.callTool('gopher_fetch', { url: gopher.url('7/find'), search: 'secret', refresh: true });
    await client.callTool('gopher_batch_fetch', { urls: [gopher.url('0/a'), 'gopher://127.0.0.1:25/'] });
    await client.read(gopher.url('0/b'));
    await other.callTool('gopher_fetch', { url: gopher.url('0/c') });
    const told = (url: string, more: object = {}) => ({
      level: 'debug',
      logger: 'fetch',
      data: {
        url,
        host: '127.0.0.1',
        port: expect.any(Number),
        kind: 'text',
        cached: false,
        ms: expect.any(Number),
        ...more,
      },
    });
    const refused = {
      level: 'info',
      data: { url: 'gopher://127.0.0.1:25/', kind: 'error', code: 'BLOCKED', reason: 'port', ms: expect.any(Number) },
    };
    expect(client.messages).toHaveLength(4);
    expect(client.messages).toEqual(
      expect.arrayContaining([
        told(gopher.url('7/find'), { kind: 'menu' }),
        told(gopher.url('0/a'), { cached: true }),
        expect.objectContaining({ level: refused.level, data: expect.objectContaining(refused.data) }),
        told(gopher.url('0/b')),
      ]),
    );
    expect(JSON.stringify(client.messages)).not.toContain('secret');
    expect(other.messages).toEqual([]);
    await other.close();
  });

  test('a level keeps what is below it away', async () => {
    const strict = await server.connect(kind);
    await strict.setLevel('info');
    await strict.callTool('gopher_fetch', { url: gopher.url('0/a') });
    expect(strict.messages).toEqual([]);
    await strict.callTool('gopher_fetch', { url: 'gopher://127.0.0.1:25/' });
    expect(strict.messages).toMatchObject([{ level: 'info', data: { code: 'BLOCKED' } }]);
    await strict.setLevel('error');
    await strict.callTool('gopher_fetch', { url: 'gopher://127.0.0.1:25/' });
    expect(strict.messages).toHaveLength(1);
    await strict.close();
  });
});

describe.each<[Wiring]>([['stdio'], ['http']])('log messages of the stateless revision over %s', (wiring) => {
  test('come with the requests that ask for them, and only with those', async () => {
    const server = await serveReal(wiring, LOCAL_GOPHER);
    const client = await server.connect('v2 stateless');
    await client.callTool('gopher_fetch', { url: gopher.url('0/a') });
    expect(client.messages).toEqual([]);
    await client.callTool('gopher_fetch', { url: gopher.url('0/b') }, { meta: { [LOG_LEVEL]: 'debug' } });
    expect(client.messages).toMatchObject([{ level: 'debug', data: { url: gopher.url('0/b'), kind: 'text' } }]);
    await client.callTool('gopher_fetch', { url: gopher.url('0/c') }, { meta: { [LOG_LEVEL]: 'error' } });
    await client.callTool('gopher_fetch', { url: gopher.url('0/d') });
    expect(client.messages).toHaveLength(1);
    await client.close();
    await server.close();
  });
});

describe('trace context', () => {
  test.each<[Wiring, ClientKind]>([
    ['stdio', 'v1'],
    ['stdio', 'v2 stateless'],
    ['http', 'v1'],
    ['http', 'v2 stateless'],
    ['sse', 'v1'],
  ])('of a message is in the log line of its fetch: %s, client %s', async (wiring, kind) => {
    const server = await serveReal(wiring, { ...LOCAL_GOPHER, GOPHER_MCP_LOG_LEVEL: 'DEBUG' });
    const client = await server.connect(kind);
    await client.callTool('gopher_fetch', { url: gopher.url('0/a') }, { meta: { traceparent: TRACEPARENT } });
    await client.callTool('gopher_fetch', { url: gopher.url('0/b') });
    await client.callTool('gopher_fetch', { url: gopher.url('0/c') }, { meta: { traceparent: TRACEPARENT.slice(1) } });
    expect(traceIdsOf(server.log)).toEqual([TRACE_ID, undefined, undefined]);
    await client.close();
    await server.close();
  });

  test.each<[Wiring, ClientKind]>([
    ['http', 'v1'],
    ['http', 'v2 stateless'],
    ['sse', 'v1'],
  ])('of an HTTP request counts where the message has none: %s, client %s', async (wiring, kind) => {
    const server = await serveReal(wiring, { ...LOCAL_GOPHER, GOPHER_MCP_LOG_LEVEL: 'DEBUG' });
    const headers = { traceparent: TRACEPARENT, tracestate: 'a=1' };
    const client = await server.connect(kind, { headers });
    const own = TRACEPARENT.replace(TRACE_ID, 'a'.repeat(32));
    await client.callTool('gopher_fetch', { url: gopher.url('0/a') });
    await client.callTool('gopher_fetch', { url: gopher.url('0/b') }, { meta: { traceparent: own } });
    expect(traceIdsOf(server.log)).toEqual([TRACE_ID, 'a'.repeat(32)]);
    await client.close();
    await server.close();
  });
});

function traceIdsOf(log: readonly string[]): unknown[] {
  const lines = log.map((line): Record<string, unknown> => JSON.parse(line));
  return lines.filter(({ event }) => event === 'fetch done').map(({ trace_id: id }) => id);
}
