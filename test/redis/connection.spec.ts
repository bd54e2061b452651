import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SystemClock } from '../../src/clock/system-clock.js';
import { RedisConnection } from '../../src/state/io/redis-connection.js';
import type { RedisScript } from '../../src/state/index.js';
import { RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const clock = new SystemClock();
const COUNT: RedisScript = { name: 'count', source: "return redis.call('INCRBY', KEYS[1], ARGV[1])" };

let server: RedisServer;
const open: RedisConnection[] = [];
const changes: (string | null)[] = [];

async function connection(url = server.url): Promise<RedisConnection> {
  const made = await RedisConnection.open({
    url,
    prefix: 'test:',
    clock,
    onChange: (trouble) => changes.push(trouble),
  });
  open.push(made);
  return made;
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startMs = performance.now();
  const value = await work();
  return [value, performance.now() - startMs];
}

beforeEach(() => {
  changes.length = 0;
});

afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await server.close();
});

describe('a connection to Redis that answers', () => {
  beforeEach(async () => {
    server = await RedisServer.start();
  });

  test('keeps bytes as they are', async () => {
    const redis = await connection();
    await until(() => redis.vitals.trouble === null);
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    const key = redis.key('page', 'example.org', 'x');
    await redis.quick.command('SET', key, bytes);
    expect(await redis.quick.command('GET', key)).toEqual({ ok: true, value: bytes });
    expect(await redis.patient.command('GET', key)).toEqual({ ok: true, value: bytes });
  });

  test('runs a script that the server has never seen, or has forgotten', async () => {
    const redis = await connection();
    await until(() => redis.vitals.trouble === null);
    const key = redis.key('count', 'a');
    expect(await redis.quick.run(COUNT, [key], ['2'])).toEqual({ ok: true, value: 2 });
    await server.command('SCRIPT', 'FLUSH');
    expect(await redis.quick.run(COUNT, [key], ['3'])).toEqual({ ok: true, value: 5 });
  });

  test('hands messages from one replica to all, the sender included', async () => {
    const [one, other] = [await connection(), await connection()];
    await until(() => one.vitals.trouble === null && other.vitals.trouble === null);
    const heard: string[] = [];
    one.subscribe('news', (message) => heard.push(`one ${message.toString()}`));
    const stop = other.subscribe('news', (message) => heard.push(`other ${message.toString()}`));
    await until(async () => (await server.command('PUBSUB', 'NUMSUB', 'test:news')).includes(':2'));
    one.publish('news', 'hello');
    await until(() => heard.length === 2);
    expect(heard.sort()).toEqual(['one hello', 'other hello']);
    stop();
    await until(async () => (await server.command('PUBSUB', 'NUMSUB', 'test:news')).includes(':1'));
  });

  test('is frozen: one wait of 40 ms, then none, and it is up again by itself', async () => {
    const redis = await connection();
    await until(() => redis.vitals.trouble === null);
    server.freeze();
    const [first, firstMs] = await timed(() => redis.quick.command('GET', 'a'));
    expect(first).toEqual({ ok: false, error: 'late' });
    expect(firstMs).toBeLessThan(90);
    const [, laterMs] = await timed(async () => {
      for (let i = 0; i < 100; i++) await redis.quick.command('GET', 'a');
    });
    expect(laterMs).toBeLessThan(40);
    expect(changes.at(-1)).toBe('late');
    const [patient, patientMs] = await timed(() => redis.patient.command('GET', 'a'));
    expect(patient.ok).toBe(false);
    expect(patientMs).toBeLessThan(1200);
    server.thaw();
    expect(await until(() => redis.vitals.trouble === null)).toBeLessThan(3000);
    expect(await redis.quick.command('GET', 'a')).toEqual({ ok: true, value: null });
  });

  test('is frozen for longer than a connection lives, and is up again within 3 s', async () => {
    const redis = await connection();
    await until(() => redis.vitals.trouble === null);
    server.freeze();
    await sleep(4000);
    server.thaw();
    await until(() => redis.vitals.trouble === null);
    expect(await redis.quick.command('GET', 'a')).toEqual({ ok: true, value: null });
  });

  test('is stopped: nothing waits; started again empty, it is up within 3 s, messages included', async () => {
    const redis = await connection();
    const heard: string[] = [];
    redis.subscribe('news', (message) => heard.push(message.toString()));
    await until(() => redis.vitals.trouble === null);
    await server.stop();
    const [gone, goneMs] = await timed(() => redis.quick.command('GET', 'a'));
    expect(gone.ok).toBe(false);
    expect(goneMs).toBeLessThan(60);
    await sleep(2000);
    const [patient, patientMs] = await timed(() => redis.patient.command('GET', 'a'));
    expect(patient).toEqual({ ok: false, error: 'away' });
    expect(patientMs).toBeGreaterThan(900);
    expect(patientMs).toBeLessThan(1200);
    await server.restart();
    await until(() => redis.vitals.trouble === null);
    await until(async () => (await server.command('PUBSUB', 'NUMSUB', 'test:news')).includes(':1'));
    redis.publish('news', 'again');
    await until(() => heard.length === 1);
  });

  test('is full: changes are refused at once, reading goes on, and room is noticed', async () => {
    const redis = await connection();
    await until(() => redis.vitals.trouble === null);
    await server.setFull(true);
    expect(await redis.quick.command('SET', 'a', 'b')).toEqual({ ok: false, error: 'full' });
    expect(redis.vitals.trouble).toBe('full');
    expect(await redis.quick.command('GET', 'a')).toEqual({ ok: true, value: null });
    await server.setFull(false);
    await until(() => redis.vitals.trouble === null);
  });

  test('follows another node: the connection is made anew, and a patient call goes through when it may write', async () => {
    const redis = await connection();
    await until(() => redis.vitals.trouble === null);
    await server.command('CONFIG', 'SET', 'replica-serve-stale-data', 'yes');
    await server.command('REPLICAOF', '127.0.0.1', '1');
    expect(await redis.quick.command('SET', 'a', 'b')).toEqual({ ok: false, error: 'away' });
    const write = redis.patient.command('SET', 'a', 'b');
    await sleep(200);
    await server.command('REPLICAOF', 'NO', 'ONE');
    expect((await write).ok).toBe(true);
    await until(() => redis.vitals.trouble === null);
  });
});

test('a Redis that never was up costs nothing, and a patient call finds it when it comes', async () => {
  server = await RedisServer.reserve();
  const [redis, openMs] = await timed(() => connection());
  expect(openMs).toBeLessThan(400);
  const [, ms] = await timed(async () => {
    for (let i = 0; i < 100; i++) expect((await redis.quick.command('GET', 'a')).ok).toBe(false);
  });
  expect(ms).toBeLessThan(40);
  expect(changes).toEqual(['away']);
  const waiting = redis.patient.command('GET', 'a');
  await server.restart();
  await waiting;
  await until(() => redis.vitals.trouble === null);
  expect(changes).toEqual(['away', null]);
});

test('password and database come from the URL; a wrong password is trouble, not a crash', async () => {
  server = await RedisServer.start('--requirepass', 'a/b c');
  const right = await connection(`redis://:${encodeURIComponent('a/b c')}@127.0.0.1:${server.port}/3`);
  await until(() => right.vitals.trouble === null);
  const wrong = await connection(`redis://:nothing@127.0.0.1:${server.port}`);
  await sleep(300);
  expect(wrong.vitals.trouble).toBe('away');
  expect((await wrong.quick.command('GET', 'a')).ok).toBe(false);
});
