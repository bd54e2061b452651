import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';

let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer([gopherFetch], { GOPHER_MCP_MAX_BODY_BYTES: '4096' });
});

afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** One raw request: fetch would set Host and Origin itself. */
function send(
  method: string,
  { path = '/mcp', headers = {}, body }: { path?: string; headers?: Record<string, string>; body?: string | object },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, { method, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (piece) => (text += String(piece)));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
    });
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

const post = (body: string | object, headers: Record<string, string> = {}): Promise<Answer> =>
  send('POST', { body, headers: { ...MCP_HEADERS, ...headers } });

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};
const STATELESS = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const statelessHeaders = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': STATELESS,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

describe('the envelope of a request', () => {
  test.each([
    ['a foreign Host', 421, { host: 'evil.example' }],
    ['a foreign Origin', 403, { origin: 'https://evil.example' }],
    ['an Accept without event streams', 406, { accept: 'application/json' }],
    ['an Accept without JSON', 406, { accept: 'text/event-stream' }],
    ['another content type', 415, { 'content-type': 'text/plain' }],
    ['an unknown protocol version', 400, { 'mcp-protocol-version': '1999-01-01' }],
    ['an unknown session', 404, { 'mcp-session-id': 'nobody' }],
  ])('%s is refused with %i', async (_name, status, headers) => {
    const answer = await post(LIST, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  test.each([
    ['bare loopback name', { host: 'localhost' }],
    ['upper case', { host: 'LOCALHOST:1234' }],
    ['IPv6 loopback', { host: '[::1]:80' }],
    ['own Origin', { origin: 'http://localhost:3000' }],
    ['wildcard Accept', { accept: '*/*' }],
    ['content type with a parameter', { 'content-type': 'application/json; charset=utf-8' }],
  ])('%s is served', async (_name, headers) => {
    expect((await post(LIST, headers)).status).toBe(200);
  });

  test('other methods are told which are served', async () => {
    const answer = await send('GET', { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('POST, DELETE');
  });

  test('a body over the limit is 413, malformed JSON -32700, something else -32600', async () => {
    expect((await post({ ...LIST, params: { pad: 'x'.repeat(5000) } })).status).toBe(413);
    const malformed = await post('{"jsonrpc":');
    expect(malformed.status).toBe(400);
    expect(JSON.parse(malformed.body)).toMatchObject({ id: null, error: { code: -32700 } });
    const foreign = await post({ hello: 1 });
    expect(foreign.status).toBe(400);
    expect(JSON.parse(foreign.body)).toMatchObject({ error: { code: -32600 } });
  });

  test('health answers outside the Host check', async () => {
    const answer = await send('GET', { path: '/health', headers: { host: 'evil.example' } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ status: 'ok', version: '0.0.0' });
  });
});

describe('revisions with a handshake', () => {
  test('a client opens a session, works in it, ends it', async () => {
    const opened = await post(INITIALIZE);
    expect(JSON.parse(opened.body)).toMatchObject({ id: 'first', result: { protocolVersion: '2025-11-25' } });
    const session = String(opened.headers['mcp-session-id']);
    const listed = await post(LIST, { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' });
    expect(JSON.parse(listed.body)).toMatchObject({ id: 7, result: { tools: [{ name: 'gopher_fetch' }] } });
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': session });
    expect([notified.status, notified.body]).toEqual([202, '']);
    expect((await send('DELETE', { headers: { 'mcp-session-id': session } })).status).toBe(204);
    expect((await send('DELETE', { headers: { 'mcp-session-id': session } })).status).toBe(404);
    expect((await post(LIST, { 'mcp-session-id': session })).status).toBe(404);
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is negotiated', async (protocolVersion) => {
    const params = { ...INITIALIZE.params, protocolVersion };
    const { body } = await post({ ...INITIALIZE, params });
    expect(JSON.parse(body)).toMatchObject({ result: { protocolVersion } });
  });

  test('a batch of 2025-03-26 is answered with one array, its notifications with none', async () => {
    const batch = [LIST, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...LIST, id: 8, method: 'ping' }];
    const { status, body } = await post(batch);
    expect(status).toBe(200);
    const ids = JSON.parse(body).map(({ id }: { id: number }) => id);
    expect(ids.sort()).toEqual([7, 8]);
    expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
    expect((await post(batch, { 'mcp-protocol-version': '2025-06-18' })).status).toBe(400);
    expect((await post([INITIALIZE])).status).toBe(400);
    expect((await post([])).status).toBe(400);
  });

  test('unknown methods, tools and resources have their codes', async () => {
    const call = async (method: string, params: object) => JSON.parse((await post({ ...LIST, method, params })).body);
    expect(await call('no/such', {})).toMatchObject({ error: { code: -32601 } });
    expect(await call('tools/call', { name: 'nothing' })).toMatchObject({ error: { code: -32602 } });
    expect(await call('tools/call', { name: 5 })).toMatchObject({ error: { code: -32602 } });
    expect(await call('resources/read', { uri: 'gopher-mcp://nothing' })).toMatchObject({
      error: { code: expect.any(Number) },
    });
    expect(await call('prompts/get', { name: 'nothing' })).toMatchObject({ error: { code: -32602 } });
  });

  test('a bad argument is a structured result that names it', async () => {
    const { body } = await post({
      ...LIST,
      method: 'tools/call',
      params: { name: 'gopher_fetch', arguments: { url: 'gopher://x', refesh: 1 } },
    });
    expect(JSON.parse(body)).toMatchObject({
      id: 7,
      result: {
        isError: true,
        structuredContent: {
          kind: 'error',
          error: { code: 'INVALID_REQUEST', reason: 'argument', message: expect.stringContaining('refesh') },
        },
      },
    });
  });
});

describe('parameters that do not fit', () => {
  test.each([
    ['initialize', { protocolVersion: 5 }],
    ['tools/list', { cursor: 5 }],
    ['resources/list', { cursor: [] }],
    ['resources/templates/list', { cursor: 5 }],
    ['prompts/list', { cursor: {} }],
    ['resources/read', {}],
    ['prompts/get', { name: 5 }],
    ['completion/complete', { ref: { type: 'ref/tool' }, argument: {} }],
    ['logging/setLevel', { level: 'loud' }],
  ])('of %s are -32602', async (method, params) => {
    const { body } = await post({ ...LIST, method, params });
    expect(JSON.parse(body)).toMatchObject({ id: 7, error: { code: -32602, message: expect.any(String) } });
  });
});

describe('log messages', () => {
  const call = {
    ...LIST,
    method: 'tools/call',
    params: { name: 'gopher_fetch', arguments: { url: 'gopher://127.0.0.1:25/' } },
  };
  const open = async (): Promise<Record<string, string>> => ({
    'mcp-session-id': String((await post(INITIALIZE)).headers['mcp-session-id']),
  });

  test('make an event stream of the answers of the session that asked, and of no other', async () => {
    const [asking, silent] = [await open(), await open()];
    expect(
      JSON.parse((await post({ ...LIST, method: 'logging/setLevel', params: { level: 'info' } }, asking)).body),
    ).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {},
    });
    expect((await post(call, silent)).headers['content-type']).toBe('application/json');
    expect((await post(call)).headers['content-type']).toBe('application/json');
    const told = await post(call, asking);
    expect(told.headers['content-type']).toBe('text/event-stream');
    expect(told.body).toMatch(/notifications\/message.*"logger":"fetch"[^]*"id":7/);
  });

  test('need a session to ask for them', async () => {
    const { body } = await post({ ...LIST, method: 'logging/setLevel', params: { level: 'debug' } });
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32600 } });
  });
});

describe('the stateless revision', () => {
  const list = { ...LIST, params: { _meta: ENVELOPE } };

  test('a list carries its result type and how long it may be kept', async () => {
    const { status, body } = await post(list, statelessHeaders('tools/list'));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      id: 7,
      result: { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public', tools: [{ name: 'gopher_fetch' }] },
    });
  });

  test('a tool result is spliced in with its result type', async () => {
    const params = { name: 'gopher_fetch', arguments: { url: 'gopher://127.0.0.1:25/' }, _meta: ENVELOPE };
    const { body } = await post(
      { ...LIST, method: 'tools/call', params },
      statelessHeaders('tools/call', 'gopher_fetch'),
    );
    expect(JSON.parse(body)).toMatchObject({
      result: {
        resultType: 'complete',
        isError: true,
        structuredContent: { kind: 'error', error: { code: 'BLOCKED' } },
      },
    });
  });

  test('it is discovered', async () => {
    const discover = { ...list, method: 'server/discover' };
    const { body } = await post(discover, statelessHeaders('server/discover'));
    expect(JSON.parse(body)).toMatchObject({ result: { supportedVersions: [STATELESS] } });
  });

  test.each([
    ['another method in the header', statelessHeaders('tools/call'), 400, -32020],
    [
      'an unknown revision',
      { ...statelessHeaders('tools/list'), 'mcp-protocol-version': '2027-01-01' },
      400,
      undefined,
    ],
  ])('%s is refused', async (_name, headers, status, code) => {
    const answer = await post(list, headers);
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(JSON.parse(answer.body)).toMatchObject({ id: 7, error: { code } });
  });

  test('a name that a header cannot carry may be encoded', async () => {
    const encoded = `=?base64?${Buffer.from('gopher_fetch').toString('base64')}?=`;
    const params = { name: 'gopher_fetch', arguments: { url: 'gopher://127.0.0.1:25/' }, _meta: ENVELOPE };
    const { status } = await post({ ...LIST, method: 'tools/call', params }, statelessHeaders('tools/call', encoded));
    expect(status).toBe(200);
  });

  test('an unknown method is 404', async () => {
    const answer = await post({ ...list, method: 'no/such' }, statelessHeaders('no/such'));
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: -32601 } });
  });
});
