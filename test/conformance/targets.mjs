/** What the suite is pointed at: the built server, or one with the suite's fixtures, over HTTP or stdio, or three over one Redis. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBridge } from './stdio-bridge.mjs';

const REPLICAS = 3;
const START_DEADLINE_MS = 30_000;
const END_GRACE_MS = 10_000;
const POLL_MS = 50;

/** Serves `entry` over Streamable HTTP on a free loopback port. @param settings variables of the server */
export async function startOverHttp(entry, settings = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-conformance-'));
  const port = await freePort();
  const args = [entry, '--transport', 'streamable-http', '--port', String(port)];
  const options = { ...surroundings(home, settings), stdio: ['ignore', 'ignore', 'inherit'] };
  const child = spawn(process.execPath, args, options);
  const close = async () => {
    await end(child);
    rmSync(home, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  const deadlineMs = Date.now() + START_DEADLINE_MS;
  while (!(await isHealthy(origin))) {
    if (child.exitCode !== null || Date.now() > deadlineMs) {
      await close();
      throw new Error(`${entry} does not serve HTTP`);
    }
    await sleep(POLL_MS);
  }
  return { url: `${origin}/mcp`, close };
}

/** Serves `entry` from {@link REPLICAS} processes over one Redis, each request by the next of them. Needs a redis-server. */
export async function startReplicas(entry) {
  // Only here: the other targets run before anything is installed.
  const { loadSource } = await import('../../scripts/load-source.mjs');
  const { RedisServer } = await loadSource('test/support/redis-server.ts');
  const { RoundRobin } = await loadSource('test/support/round-robin.ts');
  const redis = await RedisServer.start();
  const settings = { GOPHER_MCP_REDIS_URL: redis.url, GOPHER_MCP_STATE_KEY: randomBytes(32).toString('hex') };
  const replicas = [];
  const close = async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.stop();
  };
  try {
    for (let i = 0; i < REPLICAS; i++) replicas.push(await startOverHttp(entry, settings));
    const balancer = await RoundRobin.start(replicas.map(({ url }) => new URL(url).origin));
    return { url: `${balancer.url}/mcp`, close: () => balancer.close().then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves `entry` over stdio behind a bridge. */
export async function startOverStdio(entry) {
  const home = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-conformance-'));
  const bridge = await startBridge({ program: process.execPath, args: [entry], options: surroundings(home) });
  return {
    url: bridge.url,
    close: async () => {
      await bridge.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A home of its own, no setting of the caller's. The log says what went wrong, and nothing else. */
function surroundings(home, settings = {}) {
  return {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, GOPHER_MCP_LOG_LEVEL: 'ERROR', ...settings },
  };
}

async function isHealthy(origin) {
  try {
    return (await fetch(`${origin}/health`)).ok;
  } catch {
    return false;
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_GRACE_MS);
  await ended;
  clearTimeout(timer);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
