/** Three replicas behind a balancer that hands every request to the next one: one server, as far as any client can tell. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ask } from '../support/json-rpc-post.js';
import { connectHttp, serveReal, type ClientKind, type RealServer } from '../support/real-clients.js';
import { RedisServer } from '../support/redis-server.js';
import { RoundRobin } from '../support/round-robin.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';
import { until } from '../support/until.js';

jest.setTimeout(30_000);

const KINDS: readonly ClientKind[] = ['v1', 'v2', 'v2 stateless'];
const LONG = Array.from({ length: 4000 }, (_, i) => `line ${i} of a long text`).join('\r\n');
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

let redis: RedisServer;
let gopher: SmallGopher;
let replicas: RealServer[];
let balancer: RoundRobin;
let version = 1;

beforeAll(async () => {
  redis = await RedisServer.start();
  gopher = await SmallGopher.start((selector) => {
    if (selector.startsWith('/hang')) return null;
    if (selector === '/long') return LONG;
    return `version ${version} of ${selector}`;
  });
  const env = {
    ...LOCAL_GOPHER,
    GOPHER_MCP_REDIS_URL: redis.url,
    GOPHER_MCP_STATE_KEY: 'ab'.repeat(32),
    GOPHER_MCP_LOG_LEVEL: 'WARNING',
  };
  replicas = await Promise.all([1, 2, 3].map(() => serveReal('http', env)));
  balancer = await RoundRobin.start(replicas.map(({ url }) => url));
  await until(async () => (await redis.command('PUBSUB', 'NUMSUB', 'gopher-mcp:sessions')).includes(':3'));
});

afterAll(async () => {
  await balancer.close();
  for (const replica of replicas) await replica.close();
  await gopher.close();
  await redis.close();
});

beforeEach(() => {
  gopher.asked.length = 0;
  balancer.handed.length = 0;
});

function post(body: object, headers: Record<string, string> = {}) {
  return ask(`${balancer.url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...headers },
    body: JSON.stringify(body),
  });
}

const call = (id: number, url: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'gopher_fetch', arguments: { url, ...more } },
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

describe.each(KINDS)('a %s client whose every request lands on another replica', (kind) => {
  test('lists, reads, completes, hears log messages, and ends', async () => {
    const client = await connectHttp('http', balancer.url, kind, {});
    expect(await client.toolNames()).toContain('gopher_fetch');
    expect(await client.templates()).not.toHaveLength(0);
    if (kind !== 'v2 stateless') await client.setLevel('debug');
    for (let i = 0; i < 6; i++) {
      const { structuredContent } = await client.callTool('gopher_fetch', { url: gopher.url(`0/${kind}/${i}`) });
      expect(structuredContent).toMatchObject({ kind: 'text' });
    }
    // A client may hand on the last of them after the answer that they belong to.
    if (kind !== 'v2 stateless') await until(() => client.messages.length === 6);
    await client.close();
    const used = new Set(balancer.handed.map((handed) => handed[0]));
    expect(used.size).toBe(3);
  });

  test('answers a question at another replica than the one that asks', async () => {
    const questions: string[] = [];
    const client = await connectHttp('http', balancer.url, kind, {
      onQuestion: (message) => {
        questions.push(message);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    for (const host of ['one.example', 'two.example', 'three.example']) {
      const pin = { action: 'pin', host: `${kind.replace(' ', '-')}.${host}`, fingerprint: 'ab'.repeat(32) };
      const { structuredContent, isError } = await client.callTool('gemini_trust_update', pin);
      expect(structuredContent).toMatchObject({ kind: 'trust_update', changed: true });
      expect(isError).not.toBe(true);
    }
    expect(questions).toHaveLength(3);
    await client.close();
  });
});

test('a cancellation reaches the replica that runs the call', async () => {
  const session = String((await post(INITIALIZE)).headers['mcp-session-id']);
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const running = post(call(7, gopher.url('0/hang')), headers);
  await gopher.waiting(1);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  expect((await post(cancel, headers)).status).toBe(202);
  await gopher.idle();
  expect((await running).body).toBe('');
});

test('a session that ends at one replica has ended at all, whoever asks for it', async () => {
  const session = String((await post(INITIALIZE)).headers['mcp-session-id']);
  const headers = { 'mcp-session-id': session };
  for (let i = 0; i < 3; i++) expect((await post({ jsonrpc: '2.0', id: i, method: 'ping' }, headers)).status).toBe(200);
  expect((await ask(`${balancer.url}/mcp`, { method: 'DELETE', headers })).status).toBe(204);
  await until(async () => (await post({ jsonrpc: '2.0', id: 9, method: 'ping' }, headers)).status === 404);
  for (let i = 0; i < 3; i++) expect((await post({ jsonrpc: '2.0', id: i, method: 'ping' }, headers)).status).toBe(404);
  expect((await ask(`${balancer.url}/mcp`, { method: 'DELETE', headers })).status).toBe(404);
});

test('a page that many want at once is fetched once by all replicas', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => post(call(i, gopher.url('0/hot')))));
  for (const { body } of answers) expect(body).toContain('version 1 of /hot');
  expect(gopher.asked).toEqual(['/hot']);
});

test('a page that one replica has is there at all, and a refresh through one is seen through all', async () => {
  const url = gopher.url('0/page');
  for (let i = 0; i < 6; i++) expect((await post(call(i, url))).body).toContain('version 1');
  expect(gopher.asked).toHaveLength(1);
  version = 2;
  expect((await post(call(7, url, { refresh: true }))).body).toContain('version 2');
  for (let i = 0; i < 6; i++) expect((await post(call(i, url))).body).toContain('version 2');
  expect(gopher.asked).toHaveLength(2);
  version = 1;
});

test('the parts of a long text come from one download, whichever replica renders them', async () => {
  const url = gopher.url('0/long');
  const client = await connectHttp('http', balancer.url, 'v2', {});
  let text = '';
  for (let offset: unknown = 0; typeof offset === 'number';) {
    const { structuredContent } = await client.callTool('gopher_fetch', { url, offset });
    const page = structuredContent as { text: string; next_offset?: number | null };
    text += page.text;
    offset = page.next_offset;
  }
  expect(text).toBe(LONG.replaceAll('\r\n', '\n'));
  expect(gopher.asked).toEqual(['/long']);
  await client.close();
});
