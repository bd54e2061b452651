import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';

const log: string[] = [];
let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer([gopherFetch], {}, log);
});

afterAll(() => server.close());

const records = (): Record<string, unknown>[] => log.map((line): Record<string, unknown> => JSON.parse(line));

test('each request leaves one record with an id and without its query, health probes none', async () => {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  await (await fetch(`${server.url}/mcp?token=secret`, { method: 'POST', headers, body })).text();
  await (
    await fetch(`${server.url}/nowhere?token=secret`, { headers: { 'x-forwarded-for': '192.0.2.1, 192.0.2.9' } })
  ).text();
  await (await fetch(`${server.url}/health`)).text();
  expect(records().filter(({ event }) => String(event).startsWith('request'))).toMatchObject([
    {
      level: 'info',
      event: 'request served',
      req: { method: 'POST', path: '/mcp' },
      res: { status: 200 },
      client: '127.0.0.1',
    },
    { level: 'warning', req: { method: 'GET', path: '/nowhere' }, res: { status: 404 }, client: '127.0.0.1' },
  ]);
  expect(records().every((record) => !('req' in record) || 'request_id' in record)).toBe(true);
  expect(log.join('')).not.toContain('secret');
});

test('a request has the same id in its answer, in the access log and in the log of its fetch, and the trace of its caller', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'x-request-id': 'chosen-by-the-caller',
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  };
  const params = { name: 'gopher_fetch', arguments: { url: 'gopher://127.0.0.1:22/0/a' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  log.length = 0;
  const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
  await answer.text();
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(records()).toMatchObject([
    { event: 'fetch failed', request_id: id, trace_id: traceId },
    { event: 'request served', request_id: id, trace_id: traceId },
  ]);
});

test.each(['/nowhere', '/health', '/mcp'])('an answer of %s tells the id of its request', async (path) => {
  expect((await fetch(`${server.url}${path}`)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});
