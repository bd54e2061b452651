/**
 * Four replicas as processes of their own, one Redis: what a remote host sees of them under load, and what is left of one that is killed.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { ask, callTool } from '../support/json-rpc-post.js';
import { freePort, Program } from '../support/program.js';
import { RedisServer } from '../support/redis-server.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';
import { LOCAL_GOPHER } from '../support/small-gopher.js';
import { testCertificate } from '../support/test-certificates.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const INTERVAL_MS = 500;
/** What the network and the scheduler may take off an interval. */
const LEAST_PART = 0.95;
const ATTEMPTS = 4;

let folder: string;
let redis: RedisServer;
let gopher: Server;
/** Those that run; whatever a test left is stopped after it. */
let replicas: Replica[] = [];
/** When each connection came, and what was asked. */
let starts: { readonly atMs: number; readonly selector: string }[];

class Replica {
  private constructor(
    readonly origin: string,
    readonly program: Program,
  ) {}

  static async start(settings: Record<string, string>): Promise<Replica> {
    const port = await freePort();
    const { program, args } = serverCommand();
    const env = serverEnvironment(folder, {
      ...LOCAL_GOPHER,
      GOPHER_MCP_REDIS_URL: redis.url,
      GOPHER_MCP_STATE_KEY: 'ab'.repeat(32),
      GOPHER_MCP_LOG_LEVEL: 'WARNING',
      GOPHER_MCP_DRAIN_SECONDS: '0',
      ...settings,
    });
    const started = await Program.start(program, [...args, '--transport', 'streamable-http', '--port', String(port)], {
      env,
      cwd: folder,
    });
    const replica = new Replica(`http://127.0.0.1:${port}`, started);
    replicas.push(replica);
    await started.until(async () => {
      const answer = await ask(`${replica.origin}/health/ready`).catch(() => undefined);
      return answer?.status === 200 && !answer.body.includes('degraded');
    });
    return replica;
  }
}

beforeAll(async () => {
  folder = await makeScratchFolder();
  redis = await RedisServer.start();
  gopher = createServer((socket) => {
    const atMs = performance.now();
    socket.on('error', () => undefined);
    socket.once('data', (line) => {
      const selector = String(line).trim();
      starts.push({ atMs, selector });
      if (!selector.startsWith('/hang')) socket.end(`a page at ${selector}`);
    });
  }).listen(0, '127.0.0.1');
  await once(gopher, 'listening');
});

afterAll(async () => {
  gopher.close();
  await redis.close();
  await removeScratchFolder(folder);
});

beforeEach(async () => {
  starts = [];
  await redis.command('FLUSHALL');
});

afterEach(stopReplicas);

async function stopReplicas(): Promise<void> {
  await Promise.all(replicas.map(({ program }) => program.stop()));
  replicas = [];
}

const url = (selector: string): string => `gopher://127.0.0.1:${(gopher.address() as AddressInfo).port}/0${selector}`;

test('a host sees the starts of four replicas, each with a full line, an interval apart', async () => {
  // A machine may be so busy that Redis cannot reply within 40 ms. Then a replica keeps the pace on its own, as it should, and says so.
  for (let attempt = 1; ; attempt++) {
    const leastMs = await leastGapMs();
    if (!replicas.some(({ program }) => program.output.includes('redis in trouble'))) {
      expect(leastMs).toBeGreaterThan(INTERVAL_MS * LEAST_PART);
      return;
    }
    expect(attempt).toBeLessThan(ATTEMPTS);
    await stopReplicas();
    await redis.command('FLUSHALL');
  }
});

/** The least time between two starts that the host sees. */
async function leastGapMs(): Promise<number> {
  const settings = { GOPHER_REQUESTS_PER_MINUTE: String(60_000 / INTERVAL_MS) };
  await Promise.all([1, 2, 3, 4].map(() => Replica.start(settings)));
  for (const { origin } of replicas) await callTool(origin, 'gopher_fetch', { url: url('/known') });
  starts = [];
  const calls = replicas.flatMap(({ origin }, i) =>
    Array.from({ length: 8 }, (_, j) => callTool(origin, 'gopher_fetch', { url: url(`/${i}/${j}`) })),
  );
  for (const { body } of await Promise.all(calls)) expect(body).toContain('a page at');
  const atMs = starts.map((start) => start.atMs).sort((a, b) => a - b);
  expect(atMs).toHaveLength(32);
  return Math.min(...atMs.slice(1).map((ms, i) => ms - (atMs[i] ?? 0)));
}

test('two hundred first contacts through four replicas give one pin, and the same answer to all', async () => {
  const { certPem, keyPem, fingerprint } = await testCertificate({ subject: 'CN=127.0.0.1' });
  const capsule = createTlsServer({ cert: certPem, key: keyPem }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('20 text/gemini\r\na page'));
  }).listen(0, '127.0.0.1');
  await once(capsule, 'listening');
  const { port } = capsule.address() as AddressInfo;
  const settings = {
    GEMINI_ALLOW_LOCAL_HOSTS: 'true',
    GEMINI_RESPECT_ROBOTS_TXT: 'false',
    GEMINI_REQUESTS_PER_MINUTE: '0',
    GEMINI_MAX_CONCURRENT_REQUESTS: '0',
    GEMINI_CACHE_ENABLED: 'false',
  };
  await Promise.all([1, 2, 3, 4].map(() => Replica.start(settings)));
  const answers = await Promise.all(
    replicas.flatMap(({ origin }) =>
      Array.from({ length: 50 }, (_, i) =>
        callTool(origin, 'gemini_fetch', { url: `gemini://127.0.0.1:${port}/${i}` }),
      ),
    ),
  );
  const results = answers.map(({ body }) => JSON.parse(body).result.structuredContent);
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['gemtext']));
  expect(new Set(results.map(({ request_info: info }) => info.cert_fingerprint))).toEqual(
    new Set([`sha256:${fingerprint}`]),
  );
  // One of them made the pin, and is told so.
  expect(results.filter(({ request_info: info }) => info.tofu_warning !== null)).toHaveLength(1);
  for (const { origin } of replicas) {
    const { body } = await callTool(origin, 'gemini_trust_list', {});
    const { entries } = JSON.parse(body).result.structuredContent;
    expect(entries).toEqual([expect.objectContaining({ host: '127.0.0.1', port })]);
  }
  capsule.close();
});

test('a quota is one for all replicas', async () => {
  const settings = { GOPHER_MCP_QUOTA_SUBJECT_PER_MINUTE: '5', GOPHER_REQUESTS_PER_MINUTE: '0' };
  await Promise.all([1, 2].map(() => Replica.start(settings)));
  const statuses = [];
  for (let i = 0; i < 7; i++) {
    const { origin } = replicas[i % 2] ?? { origin: '' };
    statuses.push((await callTool(origin, 'gopher_fetch', { url: url(`/quota/${i}`) })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

test('a replica that is killed leaves no lock, no place in line and no session behind for longer than these last', async () => {
  const settings = { GOPHER_REQUESTS_PER_MINUTE: '600', GOPHER_MCP_SESSION_TTL_SECONDS: '3' };
  const [doomed, other] = await Promise.all([Replica.start(settings), Replica.start(settings)]);
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const opened = await ask(`${doomed.origin}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
  });
  expect(opened.headers['mcp-session-id']).toBeDefined();
  const lost = ['/hang/1', '/hang/2', '/hang/3', ...Array.from({ length: 20 }, (_, i) => `/line/${i}`)].map(
    (selector) => callTool(doomed.origin, 'gopher_fetch', { url: url(selector) }).catch(() => 'lost'),
  );
  await until(() => starts.length >= 3);
  await doomed.program.stop('SIGKILL');
  await Promise.all(lost);
  const killedMs = performance.now();

  // What it was downloading is downloaded by another one as soon as the lock has lapsed; other pages at once.
  await callTool(other.origin, 'gopher_fetch', { url: url('/other') });
  const sinceMs = performance.now() - killedMs;
  expect(sinceMs).toBeLessThan(3000);
  const taken = callTool(other.origin, 'gopher_fetch', { url: url('/hang/1') }).catch(() => undefined);
  await until(() => starts.filter(({ selector }) => selector === '/hang/1').length === 2, 8000);
  expect(performance.now() - killedMs).toBeLessThan(7000);
  await other.program.stop();
  await taken;
  await until(async () => {
    const keys = await redis.keys();
    return !keys.some((key) => /^gopher-mcp:(flight|pace|session)/.test(key));
  }, 8000);
});
