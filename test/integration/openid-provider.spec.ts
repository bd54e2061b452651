/** Tokens of a real OpenID provider, taken by a real client, through a change of keys and an outage. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HttpJwksSource } from '../../src/auth/io/http-jwks-source.js';
import { JoseTokenCheck } from '../../src/auth/io/jose-token-check.js';
import { COOL_DOWN_MS, FRESH_MS } from '../../src/auth/issuer-keys.js';
import { TokenAuthenticator } from '../../src/auth/token-authenticator.js';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { FakeClock, settled } from '../support/fake-clock.js';
import { startHttpServer } from '../support/http-server.js';
import { REPOSITORY } from '../support/server-under-test.js';

const CLIENT = { clientId: 'bot', clientSecret: 'secret-of-a-test' };

interface Provider {
  readonly issuer: string;
  stop(): Promise<void>;
}

async function startProvider(port: number, kid: string): Promise<Provider> {
  const script = join(REPOSITORY, 'test', 'support', 'oidc-provider.mjs');
  const child: ChildProcess = spawn(process.execPath, [script, String(port), kid], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (!line.startsWith('http://')) continue;
    const stop = async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    };
    return { issuer: line, stop };
  }
  throw new Error('the provider did not start');
}

/** The resource has to be known before the server listens. */
async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  await new Promise((resolve) => holder.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function tokenFrom({ issuer }: Provider, resource: string, scope = 'smallweb:read'): Promise<string> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  });
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token);
  throw new Error(JSON.stringify(body));
}

describe('a gateway in front of which a client finds its own way', () => {
  let provider: Provider;
  let server: HttpServer;
  let endpoint: string;

  beforeAll(async () => {
    provider = await startProvider(0, 'first');
    const port = await freePort();
    endpoint = `http://127.0.0.1:${port}/mcp`;
    server = await startHttpServer([gopherFetch], {
      GOPHER_MCP_PORT: String(port),
      GOPHER_MCP_AUTH: 'jwt',
      GOPHER_MCP_PUBLIC_URL: endpoint,
      GOPHER_MCP_JWT_ISSUER: provider.issuer,
      GOPHER_MCP_JWT_JWKS_URL: `${provider.issuer}/jwks`,
    });
  }, 60_000);

  afterAll(async () => {
    await server.close();
    await provider.stop();
  });

  const list = (token: string): Promise<Response> =>
    fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });

  test('the client of the SDK goes from the challenge to the metadata to the provider and back', async () => {
    const client = new Client({ name: 'test', version: '0' });
    const authProvider = new ClientCredentialsProvider({ ...CLIENT, expectedIssuer: provider.issuer });
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { authProvider }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['gopher_fetch']);
    await client.close();
  }, 30_000);

  test('a token for this server is taken, one for another is not', async () => {
    expect((await list(await tokenFrom(provider, endpoint))).status).toBe(200);
    const foreign = await list(await tokenFrom(provider, 'https://other.example/mcp'));
    expect(foreign.status).toBe(401);
    expect(foreign.headers.get('www-authenticate')).toContain('meant for another server');
  });
});

describe('an issuer', () => {
  const resource = 'https://gw.example/mcp';

  test('may change its keys, and be away for a while', async () => {
    let provider = await startProvider(0, 'first');
    const { issuer } = provider;
    const clock = new FakeClock(Date.now());
    const authenticator = new TokenAuthenticator({
      check: new JoseTokenCheck({
        issuer,
        audiences: [resource],
        algorithms: ['ES256'],
        clockToleranceSeconds: 10_000,
      }),
      source: new HttpJwksSource({ url: `${issuer}/jwks` }),
      tenantClaim: null,
      clock,
      warn: () => undefined,
    });
    const isTaken = async (text: string): Promise<boolean> =>
      (await authenticator.authenticate({ kind: 'token', text })).ok;

    const [seen, unseen] = [await tokenFrom(provider, resource), await tokenFrom(provider, resource, 'smallweb:trust')];
    expect(await isTaken(seen)).toBe(true);

    await provider.stop();
    clock.advance(FRESH_MS + 1);
    expect([await isTaken(seen), await isTaken(unseen)]).toEqual([true, true]);
    await settled();

    provider = await startProvider(Number(new URL(issuer).port), 'second');
    clock.advance(COOL_DOWN_MS);
    const later = await tokenFrom(provider, resource);
    expect(await isTaken(later)).toBe(true);
    // The provider does not publish its first key any more.
    expect([await isTaken(seen), await isTaken(unseen)]).toEqual([false, false]);
    await provider.stop();
  }, 60_000);
});
