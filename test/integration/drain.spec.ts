/** A server that is told to stop: what becomes of the calls that run, and of those that still come. */
import { Agent } from 'node:http';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { startHttpServer } from '../support/http-server.js';
import { ask, callTool, type HttpAnswer } from '../support/json-rpc-post.js';
import { LOCAL_GOPHER } from '../support/small-gopher.js';

let gopher: Server;
/** Connections to the Gopher server that wait for their answer. */
let waiting: Socket[];
let server: HttpServer;
let agent: Agent;

beforeEach(async () => {
  waiting = [];
  gopher = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      waiting.push(socket);
      gopher.emit('asked');
    });
  }).listen(0, '127.0.0.1');
  await once(gopher, 'listening');
  agent = new Agent({ keepAlive: true });
});

afterEach(async () => {
  agent.destroy();
  for (const socket of waiting) socket.destroy();
  await new Promise((resolve) => gopher.close(resolve));
});

async function start(env: Record<string, string> = {}): Promise<void> {
  server = await startHttpServer([gopherFetch], { ...LOCAL_GOPHER, GOPHER_CACHE_ENABLED: 'false', ...env });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** A call of which the Gopher server has the request. */
async function callThatRuns(): Promise<{ answer: Promise<HttpAnswer | string>; socket: Socket }> {
  const asked = once(gopher, 'asked');
  const { port } = gopher.address() as AddressInfo;
  const call = callTool(server.url, 'gopher_fetch', { url: `gopher://127.0.0.1:${port}/0/x` }, agent);
  const answer = call.catch(codeOf);
  await asked;
  const socket = waiting.at(-1);
  if (socket === undefined) throw new Error('no connection');
  return { answer, socket };
}

/** Resolves when the server takes no connections any more. */
async function refusing(): Promise<void> {
  for (;;) {
    const outcome = await ask(`${server.url}/health`).catch(codeOf);
    if (outcome === 'ECONNREFUSED') return;
  }
}

test('calls that run are finished, and their connections end with them', async () => {
  await start();
  const [one, other] = [await callThatRuns(), await callThatRuns()];
  const closed = server.close();
  await refusing();
  one.socket.end('late but whole\r\n');
  expect(await one.answer).toMatchObject({
    status: 200,
    headers: { connection: 'close' },
    body: expect.stringContaining('late but whole'),
  });
  other.socket.end('later\r\n');
  expect(await other.answer).toMatchObject({ status: 200, body: expect.stringContaining('later') });
  await closed;
});

test('what runs when the time is up is cut off, at both ends', async () => {
  await start({ GOPHER_MCP_DRAIN_SECONDS: '0' });
  const { answer, socket } = await callThatRuns();
  const gone = once(socket, 'close');
  await server.close();
  expect(await answer).toBe('ECONNRESET');
  await gone;
});

test('idle connections do not hold the end up', async () => {
  await start();
  expect((await ask(`${server.url}/health`, { agent })).status).toBe(200);
  await server.close();
});

describe('with notice', () => {
  test('new calls are served while readiness says no, on connections that end', async () => {
    await start({ GOPHER_MCP_DRAIN_SECONDS: '2' });
    expect((await ask(`${server.url}/health/ready`)).status).toBe(200);
    const beganMs = performance.now();
    const closed = server.close(true);
    expect(await ask(`${server.url}/health/ready`)).toMatchObject({
      status: 503,
      body: expect.stringContaining('draining'),
    });
    expect((await ask(`${server.url}/health/live`)).status).toBe(200);
    const { answer, socket } = await callThatRuns();
    socket.end('welcome all the same\r\n');
    expect(await answer).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      body: expect.stringContaining('welcome'),
    });
    await refusing();
    expect(performance.now() - beganMs).toBeGreaterThan(990);
    await closed;
  });

  test('nobody waits where nobody asked for readiness', async () => {
    await start({ GOPHER_MCP_DRAIN_SECONDS: '600' });
    expect((await ask(`${server.url}/health`)).status).toBe(200);
    await server.close(true);
    await refusing();
  });
});

test('an event stream of HTTP+SSE does not hold the end up, and gets the answers of what ran', async () => {
  await start({ GOPHER_MCP_TRANSPORT: 'sse' });
  const stream = await fetch(`${server.url}/sse`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const [, path] = /^data: (.*)$/m.exec((await reader?.read())?.value ?? '') ?? [];
  const asked = once(gopher, 'asked');
  const { port } = gopher.address() as AddressInfo;
  const call = { name: 'gopher_fetch', arguments: { url: `gopher://127.0.0.1:${port}/0/x` } };
  await ask(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  await asked;
  const closed = server.close();
  await refusing();
  waiting[0]?.end('over the stream\r\n');
  let received = '';
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    received += piece.value;
  }
  expect(received).toContain('over the stream');
  await closed;
});
