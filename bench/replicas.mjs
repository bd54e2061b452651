/**
 * Replicas behind one Redis: calls a second of one, two and three over HTTP, for pages that nobody has and for pages that all know, with
 * the questions to Redis that a call takes and the memory that a page takes there. Needs a redis-server; the cores of this machine are
 * shared by replicas, Redis, the fake servers and the clients, so that the figures tell how the load is shared rather than how far it
 * goes.
 */
import 'reflect-metadata';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from '../scripts/bundle.mjs';
import { startUpstream } from './load/start-upstream.mjs';

const root = path.resolve(import.meta.dirname, '..');
const CONNECTIONS = 16;
const CALLS = 3000;
const PAGES = 2000;

export async function run(bench) {
  if (spawnSync('redis-server', ['--version']).error) {
    bench.row('not measured', 'there is no redis-server on this machine');
    return;
  }
  await ensureBuilt(root);
  const upstream = await startUpstream(bench);
  const home = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-bench-'));
  const redis = await startRedis(home);
  try {
    for (const count of [1, 2, 3]) await measure(bench, { count, upstream, redis, home });
    await memory(bench, { upstream, redis, home });
  } finally {
    redis.process.kill();
    upstream.process.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(bench, { count, upstream, redis, home }) {
  const replicas = await Promise.all(Array.from({ length: count }, () => startReplica(redis, home)));
  try {
    const page = (i) => `gopher://127.0.0.1:${upstream.gopher}/0/text/10240/${count}-${i}`;
    await load(replicas, CALLS / 4, (i) => page(`w${i % 8}`));
    for (const [label, url] of [
      ['new pages', (i) => page(i)],
      ['known pages', (i) => page(`w${i % 8}`)],
    ]) {
      const before = await redis.commands();
      const rate = await load(replicas, CALLS, url);
      const asked = ((await redis.commands()) - before) / CALLS;
      bench.row(
        `${count} replica${count > 1 ? 's' : ''}, ${label}`,
        `${rate.toFixed(0)} calls/s, ${asked.toFixed(1)} Redis commands a call`,
      );
    }
  } finally {
    for (const replica of replicas) replica.process.kill();
    await Promise.all(replicas.map(({ ended }) => ended));
  }
}

async function memory(bench, { upstream, redis, home }) {
  const replica = await startReplica(redis, home);
  try {
    const before = await redis.info('used_memory');
    await load([replica], PAGES, (i) => `gopher://127.0.0.1:${upstream.gopher}/0/text/10240/m${i}`);
    const each = ((await redis.info('used_memory')) - before) / PAGES;
    bench.row(
      'memory of Redis, 100,000 pages of 10 KB',
      `${((each * 100_000) / 1024 ** 3).toFixed(2)} GiB (${each.toFixed(0)} bytes each)`,
    );
  } finally {
    replica.process.kill();
    await replica.ended;
  }
}

/** Calls a second over keep-alive connections that are dealt out to the replicas. */
async function load(replicas, calls, url) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedMs = performance.now();
  let made = 0;
  const lane = async (_, lane) => {
    while (made < calls) {
      const i = made++;
      await call(agent, replicas[lane % replicas.length].port, i, url(i));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
  return (calls * 1000) / (performance.now() - startedMs);
}

function call(agent, port, id, url) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'gopher_fetch', arguments: { url } },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks);
        if (text.includes('"isError":false')) resolve();
        else reject(new Error(`a call failed: ${text.toString().slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function startReplica(redis, home) {
  const port = await freePort();
  const both = {
    ALLOW_LOCAL_HOSTS: 'true',
    REQUESTS_PER_MINUTE: '0',
    MAX_CONCURRENT_REQUESTS: '0',
    RESPECT_ROBOTS_TXT: 'false',
  };
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_DATA_HOME: home,
    GOPHER_MCP_LOG_LEVEL: 'ERROR',
    GOPHER_MCP_REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    GEMINI_CLIENT_CERTS_ENABLED: 'false',
    ...Object.fromEntries(
      Object.entries(both).flatMap(([name, value]) => [
        [`GOPHER_${name}`, value],
        [`GEMINI_${name}`, value],
      ]),
    ),
  };
  const args = [path.join(root, 'dist', 'main.js'), '--transport', 'streamable-http', '--port', String(port)];
  const child = spawn(process.execPath, args, { env, cwd: home, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await listening(port);
  return { process: child, port, ended };
}

async function startRedis(home) {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', home];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  await once(child, 'spawn');
  await listening(port);
  const ask = (command) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('\r\n') && text.length > Number(/^\$(\d+)/.exec(text)?.[1] ?? 0)) socket.end();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
  const info = async (field) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(await ask('INFO'))?.[1]);
  return { process: child, port, info, commands: () => info('total_commands_processed') };
}

async function listening(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (outcome) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
