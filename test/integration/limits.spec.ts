/** Quotas and overload over HTTP: statuses, headers and errors of what is not let in, and a server that goes on answering. */
import { Agent } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { payload } from '../../src/common/payload.js';
import type { BoundTool, Tool } from '../../src/mcp/tool.js';
import { gopherBatchFetch, gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { connectClient } from '../support/connected-client.js';
import { startHttpServer } from '../support/http-server.js';
import { ask, callTool, type HttpAnswer } from '../support/json-rpc-post.js';
import { until } from '../support/until.js';

class SomeDomain {
  readonly name = 'some';
}

/** The same tools, doing nothing but this. */
function instead(run: BoundTool, tools: readonly Tool[] = [gopherFetch, gopherBatchFetch]): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    load: () => Promise.resolve({ domain: SomeDomain, bind: () => run }),
  }));
}

const PAGE = { kind: 'single', payload: payload({ kind: 'text', content: '' }, { request_info: {} }) } as const;
const URLS = ['gopher://a/', 'gopher://b/'];

let server: HttpServer | undefined;
let open: (() => void)[] = [];
afterEach(async () => {
  for (const finish of open) finish();
  open = [];
  await server?.close();
});

/** A tool that runs until the test says so. */
const held: BoundTool = () => new Promise((resolve) => void open.push(() => resolve(PAGE)));

async function serve(run: BoundTool, env: Record<string, string>): Promise<string> {
  server = await startHttpServer(instead(run), env);
  return server.url;
}

const quick: BoundTool = () => Promise.resolve(PAGE);
const fetchPage = (url: string, agent?: Agent): Promise<HttpAnswer> =>
  callTool(url, 'gopher_fetch', { url: 'gopher://a/' }, agent);

describe('a quota', () => {
  test('that is used up is 429 with the time to come again, in the header and in the error', async () => {
    const url = await serve(quick, { GOPHER_MCP_QUOTA_SUBJECT_PER_MINUTE: '2' });
    expect((await fetchPage(url)).status).toBe(200);
    expect((await fetchPage(url)).status).toBe(200);
    const { status, headers, body } = await fetchPage(url);
    const error = JSON.parse(body).error;
    expect([status, error]).toEqual([
      429,
      {
        code: -32010,
        message: expect.any(String),
        data: {
          code: 'QUOTA_EXCEEDED',
          reason: 'subject_quota',
          message: expect.any(String),
          retry_after_seconds: expect.any(Number),
          next_step: expect.stringMatching(/^Wait \d+ seconds/),
        },
      },
    ]);
    expect(headers['retry-after']).toBe(String(error.data.retry_after_seconds));
    expect(error.data.retry_after_seconds).toBeLessThanOrEqual(60);
  });

  test('counts each URL of a batch tool, each request of a JSON-RPC batch, and pages read as resources', async () => {
    const url = await serve(quick, { GOPHER_MCP_QUOTA_SUBJECT_PER_MINUTE: '4' });
    expect((await callTool(url, 'gopher_batch_fetch', { urls: URLS })).status).toBe(200);
    const call = {
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'gopher_fetch', arguments: { url: 'gopher://a/' } },
    };
    const post = (body: object): Promise<HttpAnswer> =>
      ask(`${url}/mcp`, {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const mixed = await post([1, 2, 3].map((id) => ({ ...call, id })));
    expect(mixed.status).toBe(200);
    const answers: { readonly error?: object }[] = JSON.parse(mixed.body);
    expect(answers.filter(({ error }) => error !== undefined)).toHaveLength(1);
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'gopher://a/' } };
    expect((await post(read)).status).toBe(429);
    const refused = await post([1, 2].map((id) => ({ ...call, id })));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(200);
  });

  test('is a result where an answer has no status', async () => {
    const { client, close } = await connectClient(instead(quick), { GOPHER_MCP_QUOTA_TENANT_PER_MINUTE: '1' });
    try {
      const call = { name: 'gopher_fetch', arguments: { url: 'gopher://a/' } };
      expect(await client.callTool(call)).toMatchObject({ isError: false });
      expect(await client.callTool(call)).toMatchObject({
        isError: true,
        structuredContent: {
          kind: 'error',
          error: { code: 'QUOTA_EXCEEDED', reason: 'tenant_quota', retry_after_seconds: expect.any(Number) },
        },
      });
    } finally {
      await close();
    }
  });
});

describe('a server with more calls than it takes', () => {
  test('runs some, lets some wait, and refuses the rest at once with 503', async () => {
    const url = await serve(held, { GOPHER_MCP_MAX_IN_FLIGHT: '2', GOPHER_MCP_MAX_QUEUED: '1' });
    const first = [fetchPage(url), fetchPage(url), fetchPage(url)];
    await until(() => open.length === 2);
    const { status, headers, body } = await fetchPage(url);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(body)).toMatchObject({ error: { data: { code: 'OVERLOADED', reason: 'queue_full' } } });
    for (const finish of open.splice(0)) finish();
    await until(() => open.length === 1);
    for (const finish of open.splice(0)) finish();
    expect((await Promise.all(first)).map((answer) => answer.status)).toEqual([200, 200, 200]);
  });

  test('forgets who went away while it waited', async () => {
    const url = await serve(held, { GOPHER_MCP_MAX_IN_FLIGHT: '1', GOPHER_MCP_MAX_QUEUED: '1' });
    const running = fetchPage(url);
    await until(() => open.length === 1);
    const leaving = new Agent();
    const left = fetchPage(url, leaving).catch(() => 'left');
    await until(async () => (await fetchPage(url)).status === 503);
    leaving.destroy();
    expect(await left).toBe('left');
    const waiting = until(async () => {
      const ends = await Promise.race([fetchPage(url).then(({ status }) => status), later(200)]);
      return ends !== 503;
    });
    await waiting;
    for (const finish of open.splice(0)) finish();
    await until(() => open.length === 1);
    for (const finish of open.splice(0)) finish();
    expect((await running).status).toBe(200);
  });

  test('over stdio takes whatever its one client asks for', async () => {
    const { client, close } = await connectClient(instead(held), {});
    try {
      const calls = Array.from({ length: 600 }, () =>
        client.callTool({ name: 'gopher_fetch', arguments: { url: 'gopher://a/' } }),
      );
      await until(() => open.length === 600);
      for (const finish of open.splice(0)) finish();
      expect((await Promise.all(calls)).every(({ isError }) => isError === false)).toBe(true);
    } finally {
      await close();
    }
  });

  test('20 times over says how it is within 100 ms, and serves on afterwards', async () => {
    const places = 16;
    const url = await serve(held, {
      GOPHER_MCP_MAX_IN_FLIGHT: String(places / 2),
      GOPHER_MCP_MAX_QUEUED: String(places / 2),
    });
    const clients = new Agent({ keepAlive: true, maxSockets: 20 * places });
    const served: HttpAnswer[] = [];
    const refused: HttpAnswer[] = [];
    while (refused.length === 0) {
      void fetchPage(url, clients).then((answer) => {
        (answer.status === 503 ? refused : served).push(answer);
      });
      await later(5);
    }
    let isOver = false;
    const statuses = new Map<number, number>();
    const pressing = Array.from({ length: 19 * places }, async () => {
      while (!isOver) {
        const { status } = await fetchPage(url, clients);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Five times as soon as they were told to.
        await later(1000);
      }
    });
    const delaysMs: number[] = [];
    try {
      for (let i = 0; i < 20; i++) {
        const startMs = performance.now();
        expect((await ask(`${url}/health`)).status).toBe(200);
        delaysMs.push(performance.now() - startMs);
        await later(75);
      }
    } finally {
      isOver = true;
      await Promise.all(pressing);
    }
    expect([...statuses.keys()]).toEqual([503]);
    expect(statuses.get(503)).toBeGreaterThanOrEqual(19 * places);
    for (const finish of open.splice(0)) finish();
    await until(() => open.length === places / 2, 10_000);
    for (const finish of open.splice(0)) finish();
    await until(() => served.length === places, 10_000);
    expect(served.every(({ status }) => status === 200)).toBe(true);
    clients.destroy();
    delaysMs.sort((a, b) => a - b);
    // Of most, not of all: the clients of this test share its process with the server, and its machine with other tests.
    expect(delaysMs[Math.floor(delaysMs.length / 2)]).toBeLessThan(100);
  }, 60_000);
});

function later(ms: number): Promise<'later'> {
  return new Promise((resolve) => setTimeout(() => resolve('later'), ms));
}
