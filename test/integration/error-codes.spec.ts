/** Error codes that no scenario on loopback meets, as a caller over HTTP gets them. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';
import { TokenIssuer } from '../support/token-issuer.js';

let server: HttpServer;
afterEach(() => server.close());

function call(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'gopher_fetch', arguments: { url } },
    }),
  });
}

describe('a call', () => {
  test('for a name that does not resolve is a DNS_ERROR', async () => {
    server = await startHttpServer([gopherFetch]);
    const text = await (await call('gopher://no-such-host.invalid/')).text();
    expect(text).toContain('"code":"DNS_ERROR"');
    expect(text).toContain('no-such-host.invalid');
    expect(text).not.toMatch(/ENOTFOUND|EAI_AGAIN|getaddrinfo/);
  });

  test('whose token cannot be checked while the issuer is away is AUTHENTICATION_UNAVAILABLE', async () => {
    const audience = 'https://gw.example/mcp';
    const issuer = await TokenIssuer.start(audience);
    const [{ url }, token] = [issuer, await issuer.token()];
    await issuer.close();
    server = await startHttpServer([gopherFetch], {
      GOPHER_MCP_AUTH: 'jwt',
      GOPHER_MCP_JWT_ISSUER: url,
      GOPHER_MCP_JWT_AUDIENCE: audience,
      GOPHER_MCP_JWT_JWKS_URL: `${url}/jwks`,
    });
    const answer = await call('gopher://h.example/', { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(await answer.json()).toMatchObject({ error: { data: { code: 'AUTHENTICATION_UNAVAILABLE' } } });
  });
});
