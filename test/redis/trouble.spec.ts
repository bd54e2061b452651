/**
 * What calls cost, and what they get, while Redis is in every kind of trouble; and that all is as before within 3 s of its end. Measured
 * against the same server without Redis.
 */
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ask, callTool } from '../support/json-rpc-post.js';
import { serveReal, type RealServer } from '../support/real-clients.js';
import { RedisServer } from '../support/redis-server.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';
import { until } from '../support/until.js';

jest.setTimeout(40_000);

/**
 * What Redis may cost the slowest call, and what a busy machine may cost any. Without a deadline of our own it would be 200 ms for each
 * of several questions, or a second and more.
 */
const ALLOWED_MS = 50;
const NOISE_MS = 40;

let redis: RedisServer;
let slow: SlowWay;
let gopher: SmallGopher;
let alone: RealServer;
let server: RealServer | undefined;
let nextPage = 1;

/** A way to Redis that takes its time, for as long as it is told to. */
class SlowWay {
  delayMs = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(redisPort: number) {
    this.#server = createServer((near) => {
      const far = connect(redisPort, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#open.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.on('data', (piece: Buffer) => void setTimeout(() => near.write(piece), this.delayMs));
    });
  }

  static async to(redisPort: number): Promise<SlowWay> {
    const way = new SlowWay(redisPort);
    way.#server.listen(0, '127.0.0.1');
    await once(way.#server, 'listening');
    return way;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const SETTINGS = {
  ...LOCAL_GOPHER,
  GOPHER_REQUESTS_PER_MINUTE: '6000',
  GOPHER_RESPECT_ROBOTS_TXT: 'true',
  GOPHER_MCP_LOG_LEVEL: 'WARNING',
  GOPHER_MCP_QUOTA_TENANT_PER_MINUTE: '100000',
  GOPHER_MCP_STATE_KEY: 'ab'.repeat(32),
};

async function serve(url: string): Promise<RealServer> {
  server = await serveReal('http', { ...SETTINGS, GOPHER_MCP_REDIS_URL: url });
  return server;
}

async function ready(one: RealServer | undefined): Promise<{ status: number; redis: unknown }> {
  const { status, body } = await ask(`${one?.url}/health/ready`);
  return { status, redis: JSON.parse(body).info?.redis };
}

async function isUp(one = server): Promise<boolean> {
  const { redis: told } = await ready(one);
  return (told as { state?: string } | undefined)?.state === undefined;
}

/** Milliseconds of a call of a page that nobody has, or of one that was just fetched. */
async function timeOf(one: RealServer, url: string): Promise<number> {
  const startMs = performance.now();
  const { body } = await callTool(one.url, 'gopher_fetch', { url });
  expect(body).toContain('a page');
  return performance.now() - startMs;
}

/** The slowest of some calls, new pages and known ones by turns. */
async function slowest(one: RealServer, calls = 6): Promise<number> {
  let worstMs = 0;
  for (let i = 0; i < calls; i++) {
    const url = gopher.url(`0/${nextPage++}`);
    worstMs = Math.max(worstMs, await timeOf(one, url), await timeOf(one, url));
  }
  return worstMs;
}

beforeAll(async () => {
  gopher = await SmallGopher.start((selector) => `a page at ${selector}`);
  alone = await serveReal('http', SETTINGS);
  await slowest(alone, 10);
});

afterAll(async () => {
  await alone.close();
  await gopher.close();
});

beforeEach(async () => {
  redis = await RedisServer.reserve();
  slow = await SlowWay.to(redis.port);
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await slow.close();
  await redis.close();
});

describe('calls cost at most 50 ms more than without Redis, and readiness says degraded, when Redis', () => {
  const cases: readonly [
    string,
    (begin: () => Promise<RealServer>) => Promise<RealServer>,
    () => Promise<void> | void,
  ][] = [
    ['is down at the start', (begin) => begin(), () => redis.restart()],
    [
      'goes down',
      async (begin) => {
        const one = await begin();
        await redis.stop();
        return one;
      },
      () => redis.restart(),
    ],
    [
      'is frozen',
      async (begin) => {
        const one = await begin();
        redis.freeze();
        return one;
      },
      () => redis.thaw(),
    ],
    [
      'takes 200 ms for each reply',
      async (begin) => {
        const one = await begin();
        slow.delayMs = 200;
        return one;
      },
      () => {
        slow.delayMs = 0;
      },
    ],
    [
      'is full',
      async (begin) => {
        const one = await begin();
        await redis.setFull(true);
        return one;
      },
      () => redis.setFull(false),
    ],
  ];

  test.each(cases)('%s', async (name, trouble, heal) => {
    if (name !== 'is down at the start') await redis.restart();
    const begin = async (): Promise<RealServer> => {
      const one = await serve(slow.url);
      if (redis.isRunning) await until(() => isUp(one));
      await slowest(one);
      return one;
    };
    const one = await trouble(begin);
    const usualMs = await slowest(alone);
    expect(await slowest(one)).toBeLessThan(usualMs + ALLOWED_MS + NOISE_MS);
    await until(async () => !(await isUp()), 1500);
    expect((await ready(server)).status).toBe(200);

    await heal();
    await until(() => isUp());
    expect(await slowest(one)).toBeLessThan(usualMs + ALLOWED_MS + NOISE_MS);
    const kept = await redis.keys();
    expect(kept.some((key) => key.startsWith('gopher-mcp:page.gopher'))).toBe(true);
  });
});

test('a Redis that comes back empty is filled again, and one that lost a single page as well', async () => {
  await redis.restart();
  const one = await serve(redis.url);
  await until(() => isUp());
  const url = gopher.url(`0/${nextPage++}`);
  await timeOf(one, url);
  await redis.restart();
  await until(() => isUp());
  gopher.asked.length = 0;
  await timeOf(one, url);
  await timeOf(one, url);
  expect(gopher.asked.filter((selector) => selector !== 'robots.txt')).toHaveLength(1);
  const [page = ''] = (await redis.keys()).filter((key) => key.startsWith('gopher-mcp:page.gopher'));
  await redis.command('DEL', page);
  await timeOf(one, url);
  await timeOf(one, url);
  expect(gopher.asked.filter((selector) => selector !== 'robots.txt')).toHaveLength(2);
});

test('what Redis forgets of pacing leaves the spacing of the process', async () => {
  await redis.restart();
  server = await serveReal('http', { ...SETTINGS, GOPHER_REQUESTS_PER_MINUTE: '120', GOPHER_MCP_REDIS_URL: redis.url });
  const one = server;
  await until(() => isUp());
  await timeOf(one, gopher.url(`0/${nextPage++}`));
  await redis.command('FLUSHALL');
  expect(await timeOf(one, gopher.url(`0/${nextPage++}`))).toBeGreaterThan(350);
  redis.freeze();
  await timeOf(one, gopher.url(`0/${nextPage++}`));
  expect(await timeOf(one, gopher.url(`0/${nextPage++}`))).toBeGreaterThan(350);
  redis.thaw();
  await sleep(10);
});
