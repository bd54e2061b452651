/** What the audit says of calls over HTTP: served ones, refused ones, and those of nobody who may call. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
// Loaded here: Jest cannot link modules at the same time that share what is not loaded yet, as the tools' behaviours do.
import '../../src/mcp/tools/gopher.behaviour.js';
import '../../src/mcp/tools/trust.behaviour.js';
import '../../src/bin/open-audit.js';
import { ApiKeyFile, composeApiKey, hashApiKey } from '../../src/auth/index.js';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { gopherBatchFetch, gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { trustList } from '../../src/mcp/tools/trust.tools.js';
import { startHttpServer } from '../support/http-server.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let gopher: SmallGopher;
let server: HttpServer | undefined;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = path.join(folder.path, 'audit.jsonl');
  gopher = await SmallGopher.start(() => 'hello\r\n');
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await gopher.close();
  await folder.remove();
});

async function start(env: Record<string, string> = {}): Promise<HttpServer> {
  const places = { HOME: folder.path, XDG_DATA_HOME: folder.path, GOPHER_MCP_AUDIT_FILE: file };
  server = await startHttpServer([gopherFetch, gopherBatchFetch], { ...LOCAL_GOPHER, ...places, ...env });
  return server;
}

/** Ends the server; the lines that it wrote. */
async function lines(): Promise<Record<string, unknown>[]> {
  await server?.close();
  server = undefined;
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

async function post(
  { url }: HttpServer,
  message: object,
  headers: Record<string, string> = {},
): Promise<{ readonly headers: Headers; readonly text: string }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'client-id', ...message });
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
  return { headers: answer.headers, text: await answer.text() };
}

const call = (name: string, args: object): object => ({ method: 'tools/call', params: { name, arguments: args } });
const read = (uri: string): object => ({ method: 'resources/read', params: { uri } });

test('each call has one line: who, what, how it ended', async () => {
  const running = await start();
  const hello = await post(running, {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'spec\u202e\n', version: '1'.repeat(500) },
    },
  });
  const session = hello.headers.get('mcp-session-id') ?? '';
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const inSession = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25', traceparent };
  const answer = await post(running, call('gopher_fetch', { url: gopher.url('0/a') }), inSession);
  const written = await lines();
  expect(written.map(({ event }) => event)).toEqual(['start', 'call', 'stop']);
  expect(written[1]).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    event: 'call',
    tenant: 'local',
    subject: 'local',
    client: 'spec\u202e\n',
    client_version: `${'1'.repeat(64)}…`,
    client_address: '127.0.0.1',
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    method: 'tools/call',
    tool: 'gopher_fetch',
    target: gopher.url('0/a'),
    decision: 'allowed',
    outcome: 'ok',
    code: null,
    bytes: expect.any(Number),
    ms: expect.any(Number),
    trace_id: 'a'.repeat(32),
    request_id: answer.headers.get('x-request-id'),
  });
  expect(Number(written[1]?.['bytes'])).toBeGreaterThan(100);
  expect(await readFile(file, 'utf8')).not.toContain(session);
});

test('what was refused, failed, or is not there has a line as well', async () => {
  const running = await start();
  await post(running, call('gopher_fetch', { url: 'gopher://127.0.0.1:22/0/a' }));
  await post(running, call('gopher_fetch', {}));
  await post(running, call('gopher_fetch', { url: gopher.url('0/a'), offset: -1 }));
  await post(running, call('no_such\ntool', { url: 'gopher://example.org/' }));
  await post(running, read('gopher-mcp://policy'));
  await post(running, read(gopher.url('0/a')));
  await post(running, read('file:///etc/passwd'));
  await post(running, read('gopher://127.0.0.1:22/0/a'));
  const found = (await lines())
    .slice(1, -1)
    .map(({ method, tool, target, decision, outcome, code }) => [method, tool, target, decision, outcome, code]);
  expect(found).toEqual([
    ['tools/call', 'gopher_fetch', 'gopher://127.0.0.1:22/0/a', 'refused', 'error', 'BLOCKED'],
    ['tools/call', 'gopher_fetch', null, 'refused', 'error', 'INVALID_REQUEST'],
    ['tools/call', 'gopher_fetch', gopher.url('0/a'), 'refused', 'error', 'INVALID_REQUEST'],
    ['tools/call', 'no_such\ntool', 'gopher://example.org/', 'refused', 'error', '-32602'],
    ['resources/read', null, 'gopher-mcp://policy', 'allowed', 'ok', null],
    ['resources/read', null, gopher.url('0/a'), 'allowed', 'ok', null],
    ['resources/read', null, 'file:///etc/passwd', 'refused', 'error', '-32602'],
    ['resources/read', null, 'gopher://127.0.0.1:22/0/a', 'refused', 'error', 'BLOCKED'],
  ]);
});

test('a batch is one line, with the number of its targets and of those that failed', async () => {
  const running = await start();
  const urls = [...Array.from({ length: 11 }, () => gopher.url('0/a')), 'gopher://127.0.0.1:22/'];
  await post(running, call('gopher_batch_fetch', { urls }));
  expect((await lines())[1]).toMatchObject({
    tool: 'gopher_batch_fetch',
    targets: urls.slice(0, 10),
    target_count: 12,
    failed_items: 1,
    outcome: 'ok',
    decision: 'allowed',
  });
});

test('no line holds what a person typed: queries, search terms, userinfo', async () => {
  const running = await start();
  await post(running, call('gopher_fetch', { url: gopher.url('7/find'), search: 'hush-1' }));
  await post(running, call('gopher_fetch', { url: `${gopher.url('7/find')}?hush-2` }));
  await post(running, call('gopher_fetch', { url: `${gopher.url('7/find')}%09hush-3` }));
  await post(running, call('gopher_fetch', { url: 'gopher://user:hush-4@example.invalid/' }));
  await post(running, read('gopher://user:hush-5@example.invalid/7/find?hush-6'));
  expect(await lines()).toHaveLength(7);
  expect(await readFile(file, 'utf8')).not.toContain('hush');
});

test('who may not call has a line of its own, without the credential', async () => {
  const keys = path.join(folder.path, 'keys.json');
  const running = await start({ GOPHER_MCP_AUTH: 'api-key', GOPHER_MCP_API_KEYS_FILE: keys });
  const denied = await post(running, read('gopher-mcp://policy'), { authorization: 'Bearer hush' });
  await post(running, read('gopher-mcp://policy'));
  const written = await lines();
  expect(written.slice(1, -1)).toMatchObject([
    {
      event: 'authentication',
      tenant: null,
      client_address: '127.0.0.1',
      decision: 'refused',
      status: 401,
      request_id: denied.headers.get('x-request-id'),
    },
    { event: 'authentication', decision: 'refused', status: 401 },
  ]);
  expect(await readFile(file, 'utf8')).not.toContain('hush');
});

test('a call beyond the scopes of its caller, and one within, name the caller', async () => {
  const keys = path.join(folder.path, 'keys.json');
  const store = new ApiKeyFile({ path: keys, clock: new SystemClock(), platform: process.platform });
  const { id, key } = composeApiKey(Buffer.alloc(6, 1), Buffer.alloc(32, 1));
  const facts = { hash: hashApiKey(key), tenant: 'acme', subject: 'alice', scopes: ['smallweb:read'] as const };
  const added = await store.add(id, { ...facts, createdMs: Date.now(), expiresMs: null, revokedMs: null });
  expect(added.ok).toBe(true);
  server = await startHttpServer([gopherFetch, trustList], {
    ...LOCAL_GOPHER,
    HOME: folder.path,
    XDG_DATA_HOME: folder.path,
    GOPHER_MCP_AUDIT_FILE: file,
    GOPHER_MCP_AUTH: 'api-key',
    GOPHER_MCP_API_KEYS_FILE: keys,
  });
  const authorization = `Bearer ${key}`;
  await post(server, call('gemini_trust_list', {}), { authorization });
  await post(server, call('gopher_fetch', { url: gopher.url('0/a') }), { authorization });
  expect((await lines()).slice(1, -1)).toMatchObject([
    {
      event: 'authorisation',
      tenant: 'acme',
      subject: 'alice',
      method: 'tools/call',
      tool: 'gemini_trust_list',
      decision: 'refused',
      status: 403,
    },
    { event: 'call', tenant: 'acme', subject: 'alice', tool: 'gopher_fetch', decision: 'allowed' },
  ]);
  expect(await readFile(file, 'utf8')).not.toContain(key);
});

test('a file that cannot be opened stops the start', async () => {
  await expect(start({ GOPHER_MCP_AUDIT_FILE: path.join(folder.path, 'none', 'audit') })).rejects.toThrow('ENOENT');
});
