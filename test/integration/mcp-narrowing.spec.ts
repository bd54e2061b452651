import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { servedTools, TOOL_TABLE } from '../../src/mcp/index.js';
import { serveReal, type ClientKind, type RealServer, type Wiring } from '../support/real-clients.js';

const ways: readonly [Wiring, ClientKind][] = [
  ['http', 'v1'],
  ['http', 'v2'],
  ['http', 'v2 stateless'],
  ['sse', 'v1'],
];

/** What the operator allows: everything that changes nothing, but for one tool. */
const ALLOWED = ['gopher_fetch', 'gemini_fetch', 'gopher_batch_fetch', 'gemini_trust_list', 'gemini_trust_update'];

describe.each(ways)('narrowing by request headers over %s, client %s', (wiring, kind) => {
  let server: RealServer;

  beforeAll(async () => {
    server = await serveReal(wiring);
  });

  afterAll(() => server.close());

  const read = [
    'gopher_fetch',
    'gemini_fetch',
    'gopher_batch_fetch',
    'gemini_batch_fetch',
    'gemini_trust_list',
    'gemini_client_cert_list',
  ];
  const all = [...read.slice(0, 5), 'gemini_trust_update', 'gemini_client_cert_list', 'gemini_client_cert_update'];

  test.each<[string, Record<string, string>, string[]]>([
    ['no header', {}, all],
    ['some tools', { 'GopherMcp-Tools': 'gemini_fetch , gopher_fetch' }, ['gopher_fetch', 'gemini_fetch']],
    ['a name that is no tool', { 'GopherMcp-Tools': 'web_fetch' }, []],
    ['an empty list', { 'GopherMcp-Tools': '' }, []],
    ['reading only', { 'GopherMcp-Read-Only': 'true' }, read],
    ['reading only, in any word but a no', { 'GopherMcp-Read-Only': 'please' }, read],
    ['not reading only', { 'GopherMcp-Read-Only': 'False' }, all],
    [
      'both',
      { 'GopherMcp-Read-Only': '1', 'GopherMcp-Tools': 'gemini_trust_list,gemini_trust_update' },
      ['gemini_trust_list'],
    ],
  ])('%s', async (_name, headers, names) => {
    const client = await server.connect(kind, { headers });
    expect(await client.toolNames()).toEqual(names);
    await client.close();
  });

  test('a tool that is left out is unknown, and so are the pages that it would fetch', async () => {
    const client = await server.connect(kind, { headers: { 'GopherMcp-Tools': 'gopher_fetch' } });
    const blocked = await client.callTool('gopher_fetch', { url: 'gopher://127.0.0.1:25/' });
    expect(blocked).toMatchObject({ structuredContent: { error: { code: 'BLOCKED' } } });
    await expect(client.callTool('gemini_fetch', { url: 'gemini://127.0.0.1:25/' })).rejects.toMatchObject({
      code: -32602,
    });
    expect(await client.templates()).toMatchObject([{ uriTemplate: 'gopher://{+path}' }]);
    await expect(client.read('gemini://127.0.0.1:25/')).rejects.toMatchObject({
      code: -32602,
      data: { uri: 'gemini://127.0.0.1:25/' },
    });
    await expect(client.complete({ template: 'gemini://{+path}' }, '')).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('a client without the header is served everything by the same server', async () => {
    const client = await server.connect(kind);
    expect(await client.toolNames()).toEqual(all);
    await client.close();
  });
});

describe('what the operator does not allow', () => {
  test.each(ways)('no header brings in, over %s, client %s', async (wiring, kind) => {
    const tools = servedTools(TOOL_TABLE, { tools: ALLOWED, readOnly: true });
    const server = await serveReal(wiring, {}, { tools });
    const headers = {
      'GopherMcp-Tools': 'gemini_fetch,gemini_trust_update,gemini_batch_fetch',
      'GopherMcp-Read-Only': 'false',
    };
    const client = await server.connect(kind, { headers });
    expect(await client.toolNames()).toEqual(['gemini_fetch']);
    const pin = { action: 'pin', host: 'a.example', fingerprint: 'ab'.repeat(32) };
    await expect(client.callTool('gemini_trust_update', pin)).rejects.toMatchObject({ code: -32602 });
    await client.close();
    await server.close();
  });
});

describe('how long a list may be kept', () => {
  const STATELESS = '2026-07-28';
  const listWith = async (url: string, method: string, headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': STATELESS,
        'mcp-method': method,
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': STATELESS,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    return response.json();
  };

  test.each(['tools/list', 'resources/templates/list'])(
    '%s: the whole by everybody, a narrowed one by nobody',
    async (method) => {
      const server = await serveReal('http');
      expect(await listWith(server.url, method, {})).toMatchObject({
        result: { cacheScope: 'public', ttlMs: 3_600_000 },
      });
      const narrowed = await listWith(server.url, method, { 'gophermcp-read-only': 'true' });
      expect(narrowed).toMatchObject({ result: { cacheScope: 'private', ttlMs: 0 } });
      await server.close();
    },
  );
});
