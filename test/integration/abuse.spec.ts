/**
 * Attacks on a gateway over real HTTP. Each states what the attacker gets; after each, an honest caller is still served.
 */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { ApiKeyFile, composeApiKey, hashApiKey } from '../../src/auth/index.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { TokenIssuer } from '../support/token-issuer.js';

const AUDIENCE = 'https://gw.example/mcp';
const MAX_SESSIONS = 20;
const MAX_BODY_BYTES = 65_536;

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} });
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
});

let server: HttpServer;
let issuer: TokenIssuer;
let folder: TemporaryFolder;
let keys: ApiKeyFile;
let alice: string;
let bob: string;
let expired: string;
let revoked: string;
const log: string[] = [];

beforeAll(async () => {
  issuer = await TokenIssuer.start(AUDIENCE);
  folder = await temporaryFolder();
  const path = `${folder.path}/keys.json`;
  keys = new ApiKeyFile({ path, clock: new SystemClock(), platform: process.platform });
  alice = await addKey(1, 'acme', 'alice');
  bob = await addKey(2, 'acme', 'bob');
  expired = await addKey(3, 'acme', 'carol', { expiresMs: Date.now() - 1 });
  revoked = await addKey(4, 'acme', 'dave', { revokedMs: Date.now() - 1 });
  server = await startHttpServer(
    [gopherFetch],
    {
      GOPHER_MCP_AUTH: 'api-key,jwt',
      GOPHER_MCP_REQUIRE_AUTH: 'true',
      GOPHER_MCP_API_KEYS_FILE: path,
      GOPHER_MCP_JWT_ISSUER: issuer.url,
      GOPHER_MCP_JWT_AUDIENCE: AUDIENCE,
      GOPHER_MCP_JWT_JWKS_URL: `${issuer.url}/jwks`,
      GOPHER_MCP_MAX_SESSIONS: String(MAX_SESSIONS),
      GOPHER_MCP_MAX_BODY_BYTES: String(MAX_BODY_BYTES),
      GOPHER_MCP_REQUEST_TIMEOUT_SECONDS: '1',
    },
    log,
  );
});

afterAll(async () => {
  await server.close();
  await issuer.close();
  await folder.remove();
});

afterEach(async () => {
  expect((await post({ authorization: `Bearer ${alice}` })).status).toBe(200);
});

async function addKey(seed: number, tenant: string, subject: string, changes: object = {}): Promise<string> {
  const { id, key } = composeApiKey(Buffer.alloc(6, seed), Buffer.alloc(32, seed));
  const record = { hash: hashApiKey(key), tenant, subject, scopes: ['smallweb:read'] as const };
  const added = await keys.add(id, { ...record, createdMs: Date.now(), expiresMs: null, revokedMs: null, ...changes });
  if (!added.ok) throw new Error(added.error.message);
  return key;
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

async function post(
  headers: Record<string, string>,
  body: string | Uint8Array = LIST,
  path = '/mcp',
): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', headers: { ...HEADERS, ...headers }, body: Buffer.from(body) });
}

const asAlice = (): Record<string, string> => ({ authorization: `Bearer ${alice}` });
const asBob = (): Record<string, string> => ({ authorization: `Bearer ${bob}` });

/** Writes `parts` to a connection, each `pauseMs` after the one before, and gives everything that comes back until the end. */
function raw(parts: readonly (string | Buffer)[], pauseMs = 0): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    let next: NodeJS.Timeout | undefined;
    const send = (index: number): void => {
      const part = parts[index];
      if (part === undefined || socket.destroyed) return;
      socket.write(part);
      next = setTimeout(() => send(index + 1), pauseMs);
    };
    socket.on('connect', () => send(0));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(next);
      resolve(received);
    });
  });
}

/** A request as text. */
function request(target: string, lines: readonly string[], body = '', method = 'POST'): string {
  return [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...lines,
    '',
    body,
  ].join('\r\n');
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

describe('a credential', () => {
  test('that is missing gets 401 with a challenge, on every endpoint of MCP', async () => {
    const answer = await post({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="gopher-mcp", scope="smallweb:read", resource_metadata="https://gw.example/.well-known/oauth-protected-resource/mcp"',
    );
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, data: { code: 'UNAUTHORIZED' } },
    });
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await fetch(`${server.url}/mcp`, { method })).status).toBe(401);
    }
  });

  test.each<[string, () => string]>([
    ['unknown', () => `gmcp_000000000000_${'A'.repeat(43)}`],
    ['a known id with another secret', () => `${alice.slice(0, -1)}${alice.endsWith('A') ? 'B' : 'A'}`],
    ['expired', () => expired],
    ['revoked', () => revoked],
  ])('that is a key, but %s, gets 401', async (_name, key) => {
    const text = key();
    for (const headers of [{ authorization: `Bearer ${text}` }, { 'x-api-key': text }]) {
      const answer = await post(headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(await answer.text()).not.toContain(text.slice(18));
    }
  });

  test.each<[string, () => string | Promise<string>]>([
    ['for another audience', () => issuer.token({ aud: 'https://other.example/mcp' })],
    ['for an audience that begins like ours', () => issuer.token({ aud: `${AUDIENCE}/more` })],
    ['of another issuer', () => issuer.token({ iss: 'https://evil.example' })],
    ['with the algorithm none', () => issuer.unsigned()],
    ['with HS256 and the public key as its secret', () => issuer.confused()],
    ['expired', () => issuer.token({ exp: Math.floor(Date.now() / 1000) - 60 })],
    ['without an end', () => issuer.token({ exp: undefined })],
    ['not valid yet', () => issuer.token({ nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['of an unknown key id', () => issuer.token({}, { kid: '../../../etc/passwd' })],
    ['of another type', () => issuer.token({}, { typ: 'logout+jwt' })],
    ['signed by somebody else', () => issuer.forged()],
    [
      'changed',
      async () => (await issuer.token()).replace(/\.(\w)/, (_all, letter: string) => `.${letter === 'A' ? 'B' : 'A'}`),
    ],
    ['cut short', async () => (await issuer.token()).slice(0, -2)],
    ['without its signature', async () => `${(await issuer.token()).split('.').slice(0, 2).join('.')}.`],
    ['of five parts', () => 'a.b.c.d.e'],
    ['of dots', () => '..'],
  ])('that is a token, but %s, gets 401', async (_name, token) => {
    const text = await token();
    const answer = await post({ authorization: `Bearer ${text}` });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await answer.text()).not.toContain(text.split('.')[1] || '?');
  });

  test('that is good is served, as a token too', async () => {
    expect((await post({ authorization: `Bearer ${await issuer.token()}` })).status).toBe(200);
    expect((await post({ 'x-api-key': alice })).status).toBe(200);
  });

  test('that is good for nothing here gets 403 and the scope to ask for', async () => {
    const answer = await post({ authorization: `Bearer ${await issuer.token({ scope: 'openid admin' })}` });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="smallweb:read"/);
    expect(await answer.json()).toMatchObject({ error: { data: { code: 'FORBIDDEN' } } });
  });

  test('made up a thousand times does not reach the issuer a thousand times', async () => {
    const before = issuer.fetches;
    for (let i = 0; i < 100; i++) await post({ authorization: `Bearer ${await issuer.token({}, { kid: `k-${i}` })}` });
    expect(issuer.fetches - before).toBeLessThanOrEqual(1);
  });

  test('is never in a log', async () => {
    await post({ authorization: 'Bearer gmcp_ffffffffffff_SECRETSECRETSECRETSECRETSECRETSECRETSECRETS' });
    await post({}, LIST, '/mcp?access_token=SECRETSECRET');
    expect(log.join('')).not.toMatch(/SECRETSECRET/);
    expect(log.join('')).not.toContain(alice.slice(18));
  });
});

describe('headers', () => {
  test.each<[string, number, () => readonly string[]]>([
    [
      'Authorization twice, the good one first',
      400,
      () => [`Authorization: Bearer ${alice}`, 'Authorization: Bearer x'],
    ],
    [
      'Authorization twice, the good one last',
      400,
      () => ['Authorization: Bearer x', `Authorization: Bearer ${alice}`],
    ],
    ['two kinds of credentials', 400, () => [`Authorization: Bearer ${alice}`, `X-API-Key: ${bob}`]],
    ['two credentials in one header', 401, () => [`Authorization: Bearer ${alice}, Bearer ${bob}`]],
    ['another scheme', 401, () => [`Authorization: Basic ${Buffer.from(`a:${alice}`).toString('base64')}`]],
    ['a NUL in the credential', 400, () => [`Authorization: Bearer ${alice}\0`]],
    ['a bare CR in the credential', 400, () => [`Authorization: Bearer x\rX-API-Key: ${alice}`]],
    ['a folded line', 400, () => ['Authorization: Bearer', ` ${alice}`]],
    ['a blank before the colon', 400, () => [`Authorization : Bearer ${alice}`]],
    ['a second length', 400, () => [`Authorization: Bearer ${alice}`, 'Content-Length: 5']],
    ['a length and chunks', 400, () => [`Authorization: Bearer ${alice}`, 'Transfer-Encoding: chunked']],
    ['more than Node takes', 431, () => [`X-Long: ${'x'.repeat(20_000)}`]],
    ['thousands of lines', 431, () => Array.from({ length: 3000 }, (_, i) => `X-${i}: 1`)],
    ['a credential in the query', 400, () => []],
  ])('with %s get %i', async (name, status, lines) => {
    const target = name.endsWith('query') ? `/mcp?access_token=${alice}` : '/mcp';
    expect(statusOf(await raw([request(target, lines(), LIST)]))).toBe(status);
  });

  test('line ends in what is echoed cannot make a header of their own', async () => {
    const answer = await raw([request('/mcp', [...credential(), 'Mcp-Session-Id: x%0d%0aSet-Cookie: a=b'], LIST)]);
    expect(statusOf(answer)).toBe(404);
    expect(answer.toLowerCase()).not.toContain('set-cookie');
  });
});

const credential = (): string[] => [`Authorization: Bearer ${alice}`];

describe('paths', () => {
  test.each([
    '//mcp',
    '/./mcp',
    '/health/../mcp',
    '/mcp/../health',
    '/mcp/..%2fhealth',
    '/%2fmcp',
    '/MCP',
    '/mcp%00',
    '/mcp%20',
    '/mcp;x=1',
    '/mcp/x',
    '/mcp\\x',
    '/.well-known/../mcp',
  ])('%s leads nowhere, with a credential or without', async (path) => {
    for (const lines of [[], credential()]) expect(statusOf(await raw([request(path, lines, LIST)]))).toBe(404);
  });

  test.each(['/mcp/', '/%6dcp', '/mcp?x=1', '/mcp?', 'http://localhost/mcp'])(
    '%s is the endpoint, and asks who is there',
    async (path) => {
      const [without, withOne] = [await raw([request(path, [], LIST)]), await raw([request(path, credential(), LIST)])];
      expect([path, statusOf(without), statusOf(withOne)]).toEqual([path, 401, 200]);
    },
  );

  test('the health of the server is open, and nothing else behind it', async () => {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${server.url}/health/mcp`)).status).toBe(404);
  });
});

describe('a session', () => {
  const open = async (headers: Record<string, string>): Promise<string> =>
    (await post(headers, INITIALIZE)).headers.get('mcp-session-id') ?? '';

  test('of somebody else is as unknown as one that never was', async () => {
    const session = await open(asAlice());
    const about = async (headers: Record<string, string>, id: string): Promise<[number, string][]> => {
      const using = await post({ ...headers, 'mcp-session-id': id });
      const ending = await fetch(`${server.url}/mcp`, {
        method: 'DELETE',
        headers: { ...headers, 'mcp-session-id': id },
      });
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
      const cancelling = await post({ ...headers, 'mcp-session-id': id }, JSON.stringify(cancelled));
      const answering = await post({ ...headers, 'mcp-session-id': id }, '{"jsonrpc":"2.0","id":"x","result":{}}');
      return [
        [using.status, await using.text()],
        [ending.status, await ending.text()],
        [cancelling.status, await cancelling.text()],
        [answering.status, await answering.text()],
      ];
    };
    const foreign = await about(asBob(), session);
    expect(foreign).toEqual(await about(asBob(), '00000000-0000-4000-8000-000000000000'));
    expect(foreign.map(([status]) => status)).toEqual([404, 404, 404, 404]);
    expect((await post({ ...asAlice(), 'mcp-session-id': session })).status).toBe(200);
  });

  test('is no credential', async () => {
    expect((await post({ 'mcp-session-id': await open(asAlice()) })).status).toBe(401);
  });

  test('opened thousands of times drives out the sessions of whoever does that', async () => {
    const bobs = await open(asBob());
    for (let i = 0; i < 200; i++) {
      await Promise.all(Array.from({ length: 10 }, () => post(asAlice(), INITIALIZE).then((answer) => answer.text())));
    }
    expect((await post({ ...asBob(), 'mcp-session-id': bobs })).status).toBe(200);
  }, 60_000);
});

describe('a body', () => {
  test('without a credential is not read', async () => {
    const answer = await raw([request('/mcp', ['X: 1'], '').replace('Content-Length: 0', 'Content-Length: 1000000')]);
    expect(statusOf(answer)).toBe(401);
  });

  test.each<[string, number, () => string | Buffer]>([
    ['that is too large', 413, () => JSON.stringify({ pad: 'x'.repeat(MAX_BODY_BYTES) })],
    ['that is no UTF-8', 400, () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['in UTF-16', 400, () => Buffer.from(LIST, 'utf16le')],
    ['nested 30,000 deep', 400, () => '['.repeat(30_000) + ']'.repeat(30_000)],
    [
      'with parameters nested 10,000 deep',
      200,
      () => LIST.replace('{}', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)),
    ],
    ['with a number of 60,000 digits', 200, () => LIST.replace('{}', `{"a":${'9'.repeat(60_000)}}`)],
    [
      'with many members',
      200,
      () => LIST.replace('{}', `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`),
    ],
    ['that is a batch of thousands', 400, () => `[${Array.from({ length: 600 }, () => LIST).join()}]`],
    ['that is a number', 400, () => '1'],
    ['that ends early', 400, () => LIST.slice(0, -3)],
  ])('%s gets %i', async (_name, status, body) => {
    expect((await post(asAlice(), body())).status).toBe(status);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('cannot reach %s', async (name) => {
    const poison = `{"${name}":{"polluted":"yes","prototype":{"polluted":"yes"}}}`;
    for (const body of [
      LIST.replace('{}', poison),
      LIST.replace('{', `{"${name}":{"polluted":"yes"},`),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' }).replace(
        '}',
        `,"params":{"name":"gopher_fetch","arguments":${poison}}}`,
      ),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}"}}`,
    ]) {
      expect([200, 400]).toContain((await post(asAlice(), body)).status);
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('a slow client', () => {
  test('is cut off while it sends its headers a byte at a time', async () => {
    const startedMs = performance.now();
    const answer = await raw(Array.from(request('/mcp', credential(), LIST)), 50);
    expect([0, 408]).toContain(statusOf(answer));
    expect(performance.now() - startedMs).toBeLessThan(5000);
  }, 15_000);

  test('is cut off while it sends its body a byte at a time', async () => {
    const [head = '', body = ''] = request('/mcp', credential(), LIST).split(/(?<=\r\n\r\n)/);
    const startedMs = performance.now();
    const answer = await raw([head, ...Array.from(body)], 100);
    expect([0, 400, 408]).toContain(statusOf(answer));
    expect(performance.now() - startedMs).toBeLessThan(5000);
  }, 15_000);

  test('that never sends what it announced holds nobody up, a hundred times over', async () => {
    const head = request('/mcp', credential()).replace('Content-Length: 0', 'Content-Length: 100');
    const slow = Array.from({ length: 100 }, () => raw([head]));
    const startedMs = performance.now();
    expect((await post(asAlice())).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(1000);
    const statuses = (await Promise.all(slow)).map(statusOf);
    expect(statuses.filter((status) => status === 200)).toEqual([]);
  }, 15_000);
});

describe('what says where to get a token', () => {
  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'is open to everybody at %s',
    async (path) => {
      const answer = await fetch(server.url + path, { headers: { origin: 'https://app.example' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.json()).toEqual({
        resource: AUDIENCE,
        authorization_servers: [issuer.url],
        scopes_supported: ['smallweb:read', 'smallweb:trust', 'smallweb:identity'],
        bearer_methods_supported: ['header'],
        resource_name: 'gopher-mcp',
      });
      expect((await fetch(server.url + path, { method: 'OPTIONS' })).status).toBe(204);
      expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(405);
    },
  );

  test('is nowhere else', async () => {
    expect((await fetch(`${server.url}/.well-known/oauth-protected-resource/other`)).status).toBe(404);
    expect((await fetch(`${server.url}/.well-known/oauth-authorization-server`)).status).toBe(404);
  });
});
