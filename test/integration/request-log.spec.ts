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
  await (await fetch(`${server.url}/nowhere?token=secret`)).text();
  await (await fetch(`${server.url}/health`)).text();
  expect(records().filter(({ event }) => String(event).startsWith('request'))).toMatchObject([
    { level: 'info', event: 'request served', req: { method: 'POST', path: '/mcp' }, res: { status: 200 } },
    { level: 'warning', req: { method: 'GET', path: '/nowhere' }, res: { status: 404 } },
  ]);
  expect(records().every((record) => !('req' in record) || 'request_id' in record)).toBe(true);
  expect(log.join('')).not.toContain('secret');
});
