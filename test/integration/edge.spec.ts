/** Who stands between clients and the server, and which web pages may call it. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';
import { ask, callTool, type HttpAnswer } from '../support/json-rpc-post.js';

let server: HttpServer | undefined;
afterEach(() => server?.close());

async function serve(env: Record<string, string>): Promise<string> {
  server = await startHttpServer([gopherFetch], env);
  return server.url;
}

const PAGE = 'https://app.example';
const JSON_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

const ping = (url: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  ask(`${url}/mcp`, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: PING });
const preflight = (
  url: string,
  origin: string,
  path = '/mcp',
  more: Record<string, string> = {},
): Promise<HttpAnswer> =>
  ask(`${url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-session-id',
      ...more,
    },
  });

describe('a web page of a listed origin', () => {
  test('may ask, call, and read what MCP puts into headers', async () => {
    const url = await serve({ GOPHER_MCP_ALLOWED_ORIGINS: PAGE });
    const asked = await preflight(url, PAGE);
    expect(asked).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers': expect.stringMatching(/Authorization.*Content-Type.*Mcp-Session-Id/),
        vary: 'Origin',
      },
    });
    expect(await ping(url, { origin: PAGE })).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': PAGE,
        'access-control-expose-headers': expect.stringMatching(
          /Mcp-Session-Id.*MCP-Protocol-Version.*Retry-After.*WWW-Authenticate/,
        ),
        vary: 'Origin',
      },
    });
  });

  test('reads why it is refused, also before it has said who it is', async () => {
    const url = await serve({ GOPHER_MCP_ALLOWED_ORIGINS: PAGE });
    const refused = await ping(url, { origin: PAGE, accept: 'text/html' });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([406, PAGE]);
    const lost = await ping(url, { origin: PAGE, 'mcp-session-id': 'nobody' });
    expect([lost.status, lost.headers['access-control-allow-origin']]).toEqual([404, PAGE]);
  });

  test('reads an event stream', async () => {
    const url = await serve({ GOPHER_MCP_ALLOWED_ORIGINS: PAGE });
    const params = {
      name: 'gopher_fetch',
      arguments: { url: 'gopher://127.0.0.1:25/' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/logLevel': 'info',
      },
    };
    const answer = await ask(`${url}/mcp`, {
      method: 'POST',
      headers: {
        ...JSON_HEADERS,
        origin: PAGE,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'gopher_fetch',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'access-control-allow-origin': PAGE,
    });
  });
});

describe('a web page of another origin', () => {
  test.each([
    ['of a longer name', 'https://app.example.evil.example'],
    ['of another port', 'https://app.example:8443'],
    ['of another scheme', 'http://app.example'],
    ['that hides where it comes from', 'null'],
  ])('%s is refused and gets no header of CORS', async (_name, origin) => {
    const url = await serve({ GOPHER_MCP_ALLOWED_ORIGINS: PAGE, GOPHER_MCP_HOST: '0.0.0.0' });
    for (const answer of [await ping(url, { origin }), await preflight(url, origin)]) {
      expect(answer.status).toBe(403);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers['vary']).toBe('Origin');
    }
  });

  test('is not let past the Host check by its origin', async () => {
    const url = await serve({ GOPHER_MCP_ALLOWED_ORIGINS: PAGE });
    for (const answer of [
      await ping(url, { origin: PAGE, host: 'evil.example' }),
      await preflight(url, PAGE, '/mcp', { host: 'evil.example' }),
    ]) {
      expect(answer.status).toBe(421);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

test('without listed origins nothing of CORS is there, and the rule is the one of the Host check', async () => {
  const url = await serve({});
  const own = await ping(url, { origin: 'http://localhost:3000' });
  expect(own.status).toBe(200);
  expect(own.headers).not.toHaveProperty('vary');
  expect((await preflight(url, 'http://localhost:3000')).status).toBe(405);
  expect((await ping(url, { origin: PAGE })).status).toBe(403);
});

describe('the address of a client', () => {
  /** One call that quotas count. */
  async function call(url: string, forwarded: string): Promise<number> {
    const answer = await ask(`${url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'x-forwarded-for': forwarded, 'x-forwarded-host': 'evil.example' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'gopher_fetch', arguments: { url: 'gopher://127.0.0.1:25/' } },
      }),
    });
    return answer.status;
  }

  test('is what a trusted proxy says, and quotas go by it', async () => {
    const url = await serve({
      GOPHER_MCP_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8',
      GOPHER_MCP_QUOTA_SUBJECT_PER_MINUTE: '1',
    });
    expect(await call(url, '192.0.2.1')).toBe(200);
    expect(await call(url, '192.0.2.2')).toBe(200);
    expect(await call(url, '192.0.2.1, 10.1.1.1')).toBe(429);
    // What a client wrote in front of what the proxies know is made up.
    expect(await call(url, '192.0.2.99, 192.0.2.2')).toBe(429);
  });

  test('is that of the peer when nobody is trusted', async () => {
    const url = await serve({ GOPHER_MCP_QUOTA_SUBJECT_PER_MINUTE: '1' });
    expect(await call(url, '192.0.2.1')).toBe(200);
    expect(await call(url, '192.0.2.2')).toBe(429);
  });
});

test('a tool call without a quota is served as before', async () => {
  const url = await serve({});
  expect((await callTool(url, 'gopher_fetch', { url: 'gopher://127.0.0.1:25/' })).status).toBe(200);
});
