/** What Prometheus gets to see of a server that works, and who else does not. */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
// Loaded here: Jest cannot link modules at the same time that share what is not loaded yet, as the tools' behaviours do.
import '../../src/mcp/tools/gemini.behaviour.js';
import '../../src/mcp/tools/gopher.behaviour.js';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { UnusableAddress } from '../../src/bin/unusable-address.js';
import { geminiFetch } from '../../src/mcp/tools/gemini.tools.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';
import { ask, callTool, type HttpAnswer } from '../support/json-rpc-post.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let gopher: SmallGopher;
let server: HttpServer | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  gopher = await SmallGopher.start((selector) => (selector === '/slow' ? null : 'hello\r\n'));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await gopher.close();
  await folder.remove();
});

async function start(env: Record<string, string>): Promise<HttpServer> {
  const places = { HOME: folder.path, XDG_DATA_HOME: folder.path };
  server = await startHttpServer([gopherFetch, geminiFetch], { ...LOCAL_GOPHER, ...places, ...env });
  return server;
}

const metricsOf = ({ metricsUrl }: HttpServer, path = '', method = 'GET'): Promise<HttpAnswer> =>
  ask(`${metricsUrl ?? ''}${path}`, { method });

describe('metrics', () => {
  test('are off by default: nothing is served, on no port', async () => {
    const { url, metricsUrl } = await start({});
    expect(metricsUrl).toBeNull();
    expect((await ask(`${url}/metrics`)).status).toBe(404);
  });

  test('have a port of their own, and only that', async () => {
    const running = await start({ GOPHER_MCP_METRICS_PORT: '0' });
    expect((await ask(`${running.url}/metrics`)).status).toBe(404);
    expect(await metricsOf(running)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(await metricsOf(running, '', 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await metricsOf(running, '?name[]=up')).status).toBe(200);
    expect((await metricsOf(running, '/../health')).status).toBe(404);
    expect(await metricsOf(running, '', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('show what calls came to', async () => {
    const running = await start({ GOPHER_MCP_METRICS_PORT: '0' });
    for (const url of [gopher.url('0/a'), gopher.url('0/a'), 'gopher://127.0.0.1:22/0/a'])
      await callTool(running.url, 'gopher_fetch', { url });
    await callTool(running.url, 'gopher_fetch', { url: gopher.url('0/a'), offset: -1 });
    const { body } = await metricsOf(running);
    for (const line of [
      'gopher_mcp_fetches_total{protocol="gopher",kind="text",source="wire"} 1',
      'gopher_mcp_fetches_total{protocol="gopher",kind="text",source="cache"} 1',
      'gopher_mcp_fetch_errors_total{protocol="gopher",code="BLOCKED",reason="port"} 1',
      'gopher_mcp_fetch_duration_seconds_count{protocol="gopher",source="wire"} 2',
      'gopher_mcp_response_size_bytes_count{protocol="gopher"} 2',
      'gopher_mcp_wait_seconds_count{protocol="gopher",cause="pacing"} 2',
      'gopher_mcp_tool_calls_total{tool="gopher_fetch",outcome="ok"} 2',
      'gopher_mcp_tool_calls_total{tool="gopher_fetch",outcome="error"} 2',
      'gopher_mcp_store_entries{store="pins"} 0',
      'gopher_mcp_store_usable{store="identities"} 1',
    ]) {
      expect(body.split('\n')).toContain(line);
    }
    expect(body).not.toMatch(/127\.0\.0\.1/);
  });

  test('show a call while it runs', async () => {
    const running = await start({ GOPHER_MCP_METRICS_PORT: '0', GOPHER_MCP_DRAIN_SECONDS: '0' });
    const call = callTool(running.url, 'gopher_fetch', { url: gopher.url('0/slow') }).catch(() => undefined);
    await gopher.waiting(1);
    const { body } = await metricsOf(running);
    expect(body).toMatch(/^gopher_mcp_requests_in_flight 1$/m);
    expect(body).toMatch(/^gopher_mcp_slots_taken\{protocol="gopher"\} 1$/m);
    await running.close();
    server = undefined;
    await call;
    await expect(metricsOf(running)).rejects.toThrow('ECONNREFUSED');
  });

  test('whose port is taken stop the start, and leave nothing behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const started = start({ GOPHER_MCP_METRICS_PORT: String(port) });
    await expect(started).rejects.toBeInstanceOf(UnusableAddress);
    await expect(started).rejects.toMatchObject({
      settings: 'GOPHER_MCP_HOST and GOPHER_MCP_METRICS_PORT',
      address: `127.0.0.1:${port}`,
      cause: { code: 'EADDRINUSE' },
    });
    await new Promise((resolve) => other.close(resolve));
  });
});
