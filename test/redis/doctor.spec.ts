/** `gopher-mcp doctor` with a real Redis, and with things that only look like one. */
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { checkRedis } from '../../src/cli/doctor/check-network.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { RedisConnection } from '../../src/state/io/redis-connection.js';
import { RedisServer } from '../support/redis-server.js';

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(() => stop());

async function ask(url: string): Promise<Finding> {
  const redis = await RedisConnection.open({
    url,
    prefix: 'doctor:',
    clock: new SystemClock(),
    onChange: () => undefined,
  });
  try {
    const [finding] = await checkRedis(url, redis);
    if (finding === undefined) throw new Error('nothing was found');
    return finding;
  } finally {
    redis.close();
  }
}

describe('Redis', () => {
  test('that runs answers; after it was stopped it does not', async () => {
    const server = await RedisServer.start();
    stop = () => server.stop();
    expect(await ask(server.url)).toMatchObject({ level: 'ok' });
    await server.stop();
    expect(await ask(server.url)).toMatchObject({
      level: 'fail',
      text: expect.stringContaining(`127.0.0.1:${server.port} cannot be connected to`),
    });
  });

  test('that wants another password does not count as answering', async () => {
    const server = await RedisServer.start('--requirepass', 'right');
    stop = () => server.stop();
    const finding = await ask(`redis://:wrong@127.0.0.1:${server.port}`);
    expect(finding).toMatchObject({ level: 'fail', remedy: expect.stringContaining('password') });
    expect(JSON.stringify(finding)).not.toContain('wrong');
    expect(await ask(`redis://:right@127.0.0.1:${server.port}`)).toMatchObject({ level: 'ok' });
  });

  test('is not what takes a connection and says nothing', async () => {
    const sockets: Socket[] = [];
    const silent: Server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    stop = async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      await once(silent, 'close');
    };
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    expect(await ask(`redis://127.0.0.1:${address.port}`)).toMatchObject({ level: 'fail' });
  });
});
