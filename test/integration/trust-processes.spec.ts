/**
 * Several processes on one pin file, and processes that die in the middle of a write.
 *
 * Longer runs: TEST_KILL_ROUNDS (default 20) and TEST_PINS_PER_PROCESS (default 40).
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SystemClock } from '../../src/clock/system-clock.js';
import { JsonFileTrustStore } from '../../src/trust/io/json-file-trust-store.js';
import { childScript, type ChildScript } from '../support/child-script.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { put, somePin } from '../support/trust-store-contract.js';

const KILL_ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 20);
const PINS_PER_PROCESS = Number(process.env['TEST_PINS_PER_PROCESS'] ?? 40);

jest.setTimeout(60_000 + KILL_ROUNDS * 3000 + PINS_PER_PROCESS * 200);

let writer: ChildScript;
let folder: TemporaryFolder;
let path: string;

beforeAll(async () => {
  writer = await childScript('pin-writer');
});
afterAll(() => writer.remove());
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'tofu.json');
});
afterEach(() => folder.remove());

function open(): JsonFileTrustStore {
  return new JsonFileTrustStore({ path, clock: new SystemClock(), platform: process.platform, warn: () => undefined });
}

async function hostsOnDisk(): Promise<readonly string[]> {
  return Object.values(JSON.parse(await readFile(path, 'utf8')) as Record<string, { host: string }>).map(
    ({ host }) => host,
  );
}

test('two processes that write at once lose none of their pins', async () => {
  const count = String(PINS_PER_PROCESS);
  const children = ['one', 'other'].map((word) => writer.start(['pin', path, word, count]));
  for (const child of children) {
    expect(await child.ended).toBe(0);
    expect(child.lines.filter((line) => line.startsWith('pinned '))).toHaveLength(PINS_PER_PROCESS);
  }
  const expected = ['one', 'other'].flatMap((word) =>
    Array.from({ length: PINS_PER_PROCESS }, (_, index) => `${word}-${index}.example`),
  );
  expect([...(await hostsOnDisk())].sort()).toEqual(expected.sort());
  expect(await readdir(folder.path)).toEqual(['tofu.json']);
});

test('a process killed at any moment loses no pin that it reported, and leaves a whole file and a lock that is broken at once', async () => {
  const reported = new Set<string>();
  // A larger file makes the write longer.
  const store = open();
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => put(store, somePin(), { host: `old-${index}.example`, port: 1965 })),
  );
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const child = writer.start(['pin-on', path, `round-${round}`]);
    await child.line((line) => line.startsWith('pinned '));
    // Spread over the phases of a write, which takes a few milliseconds.
    await delay((round * 7) % 23);
    child.process.kill('SIGKILL');
    expect(await child.ended).toBeNull();

    for (const line of child.lines) {
      expect(line).toMatch(/^pinned /);
      reported.add(line.slice('pinned '.length));
    }
    const hosts = new Set(await hostsOnDisk());
    for (const host of reported) expect(hosts).toContain(host);
    expect(hosts).toContain('old-199.example');

    const startMs = performance.now();
    const own = `survivor-${round}.example`;
    expect(await put(open(), somePin(), { host: own, port: 1965 })).toMatchObject({ ok: true });
    expect(performance.now() - startMs).toBeLessThan(2000);
    reported.add(own);
  }
  expect(await readdir(folder.path)).toEqual(['tofu.json']);
});

test('a long-running process brings no removed pin back', async () => {
  const store = open();
  const endpoints = Array.from({ length: PINS_PER_PROCESS }, (_, index) => ({
    host: `h-${index}.example`,
    port: 1965,
  }));
  await Promise.all(endpoints.map((endpoint) => put(store, somePin(), endpoint)));
  const child = writer.start(['see', path, '', String(PINS_PER_PROCESS)]);
  await child.line((line) => line === 'seeing');
  for (const endpoint of endpoints) {
    expect(await store.update(endpoint, () => ({ write: null, value: null }))).toMatchObject({ ok: true });
  }
  expect(await child.ended).toBe(0);
  expect(child.lines).toEqual(['seeing', 'done']);
  expect(await hostsOnDisk()).toEqual([]);
});
