/** The pin file when the disk says no: nothing half-written, nothing kept that was not written, and a clear failure. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SystemClock } from '../../src/clock/system-clock.js';
import { nodeFileSystem, type FileSystem } from '../../src/file-store/index.js';
import { JsonFileTrustStore } from '../../src/trust/io/json-file-trust-store.js';
import { TrustService } from '../../src/trust/trust.service.js';
import { childScript } from '../support/child-script.js';
import { fullableDisk } from '../support/full-disk.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { HOST, OTHER_PORT, put, somePin } from '../support/trust-store-contract.js';

jest.setTimeout(30_000);

const UNAVAILABLE = { ok: false, error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } };
/** Whom files are given to that a process without privileges shall not write: any id that owns nothing. */
const NOBODY = 65_534;

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

function open(path: string, fs: FileSystem = nodeFileSystem): JsonFileTrustStore {
  return new JsonFileTrustStore({
    path,
    fs,
    clock: new SystemClock(),
    platform: process.platform,
    warn: () => undefined,
  });
}

describe('each call to the file system that a change makes', () => {
  /** The n-th call fails; whatever it is. */
  function failingAt(n: number, code: string): { fs: FileSystem; calls: string[] } {
    const calls: string[] = [];
    const counted =
      <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> => {
        calls.push(name);
        return calls.length === n ? Promise.reject(Object.assign(new Error(code), { code })) : call(...args);
      };
    const fs: FileSystem = {
      ...nodeFileSystem,
      mkdir: counted('mkdir', nodeFileSystem.mkdir) as FileSystem['mkdir'],
      readdir: counted('readdir', nodeFileSystem.readdir) as FileSystem['readdir'],
      realpath: counted('realpath', nodeFileSystem.realpath) as FileSystem['realpath'],
      rename: counted('rename', nodeFileSystem.rename),
      rmdir: counted('rmdir', nodeFileSystem.rmdir),
      stat: counted('stat', nodeFileSystem.stat) as FileSystem['stat'],
      open: counted('open', async (...args: Parameters<FileSystem['open']>) => {
        const handle = await nodeFileSystem.open(...args);
        const { writeFile, sync, stat, readFile: read } = handle;
        handle.writeFile = counted('write', writeFile.bind(handle));
        handle.sync = counted('sync', sync.bind(handle));
        handle.stat = counted('fstat', stat.bind(handle)) as typeof handle.stat;
        handle.readFile = counted('read', read.bind(handle)) as typeof handle.readFile;
        return handle;
      }),
    };
    return { fs, calls };
  }

  const MANY = 100;

  test.each(['EIO', 'ENOSPC', 'EROFS', 'EACCES'])(
    'may fail with %s: the change is made or refused, never half made',
    async (code) => {
      const path = join(folder.path, 'tofu.json');
      const refused = new Set<string>();
      for (let n = 1; n <= MANY; n++) {
        const before = somePin(n % 2 === 0 ? 'aa' : 'bb');
        const after = somePin(n % 2 === 0 ? 'cc' : 'dd');
        await put(open(path), before);
        const { fs, calls } = failingAt(n, code);
        const store = open(path, fs);
        const outcome = await put(store, after);
        if (calls.length < n) break;
        if (!outcome.ok) refused.add(calls[n - 1] ?? '');

        expect(outcome).toMatchObject(outcome.ok ? { ok: true } : UNAVAILABLE);
        expect(await open(path).read(HOST)).toEqual({ ok: true, value: outcome.ok ? after : before });
        // What the store itself believes is what is on disk.
        expect(await store.read(HOST)).toEqual({ ok: true, value: outcome.ok ? after : before });
        // And it goes on as if nothing had happened.
        expect(await put(store, somePin('ee'))).toMatchObject({ ok: true });
        expect(await readdir(folder.path)).toEqual(['tofu.json']);
      }
      expect(refused.size).toBeGreaterThan(0);
      expect(refused).toContain('write');
      expect(refused).toContain('sync');
    },
  );
});

test('on a full disk the old file stays whole, and the next change succeeds once there is room', async () => {
  const disk = await fullableDisk();
  try {
    const path = join(disk.folder, 'tofu.json');
    const store = open(path, disk.fs);
    await put(store, somePin());
    // More than the room that is left, so that the write comes to its end somewhere in the middle.
    await disk.fill(8192);
    const large = { ...somePin('bb'), extra: { note: 'x'.repeat(60_000) } };
    expect(await put(store, large, OTHER_PORT)).toMatchObject(UNAVAILABLE);
    expect(await open(path).readAll()).toMatchObject({ ok: true, value: new Map([['a.example:1965', somePin()]]) });
    expect((await readdir(disk.folder)).filter((name) => name !== 'filler')).toEqual(['tofu.json']);
    await disk.free();
    expect(await put(store, large, OTHER_PORT)).toMatchObject({ ok: true });
    expect(await open(path).read(OTHER_PORT)).toEqual({ ok: true, value: large });
  } finally {
    await disk.free();
    await disk.remove();
  }
});

test('in a folder that may not be written known hosts are served, new ones refused, sightings given up', async () => {
  const writer = await childScript('pin-writer');
  try {
    const inside = join(folder.path, 'state');
    await mkdir(inside);
    const path = join(inside, 'tofu.json');
    await put(open(path), somePin(), { host: 'known.example', port: 1965 });
    const content = await readFile(path, 'utf8');
    await chmod(path, 0o444);
    await chmod(inside, 0o555);
    await chmod(folder.path, 0o755);
    const child = writer.start(['try', path, 'known'], process.getuid?.() === 0 ? NOBODY : undefined);
    expect(await child.ended).toBe(0);
    expect(child.lines).toEqual([
      'read a pin',
      'failed CERTIFICATE_STORE_UNAVAILABLE',
      'read nothing',
      'warning CERTIFICATE_STORE_UNAVAILABLE',
      'done',
    ]);
    expect(await readFile(path, 'utf8')).toBe(content);
    await chmod(inside, 0o755);
    expect(await readdir(inside)).toEqual(['tofu.json']);
  } finally {
    await writer.remove();
  }
});

describe('what gopher-mcp 0.10 leaves', () => {
  test('its lock file never blocks, and stays', async () => {
    const path = join(folder.path, 'tofu.json');
    await writeFile(`${path}.lock`, '', { mode: 0o600 });
    await writeFile(join(folder.path, 'tofu.jsonabc.tmp'), '{');
    expect(await put(open(path), somePin())).toMatchObject({ ok: true });
    expect((await readdir(folder.path)).sort()).toEqual(['tofu.json', 'tofu.json.lock', 'tofu.jsonabc.tmp']);
  });
});

test('temporary files of a process that died are cleared by the next change', async () => {
  const path = join(folder.path, 'tofu.json');
  await writeFile(`${path}.0123456789abcdef.tmp`, '{');
  await put(open(path), somePin());
  expect(await readdir(folder.path)).toEqual(['tofu.json']);
});

test('a first pin that cannot be written is a first use again at the next try', async () => {
  const path = join(folder.path, 'tofu.json');
  let broken = true;
  const fs: FileSystem = {
    ...nodeFileSystem,
    rename: async (from, to) => {
      if (broken && to === path) throw Object.assign(new Error('no'), { code: 'EIO' });
      return nodeFileSystem.rename(from, to);
    },
  };
  const trust = new TrustService(open(path, fs), { pinChanged: () => undefined }, new SystemClock(), {
    enabled: true,
    rejectExpired: false,
    renewal: { expired: false, sameKey: false },
  });
  const presented = { fingerprint: 'aa'.repeat(32), spki: null, notBeforeMs: 0, notAfterMs: Date.now() + 1_000_000 };
  expect(await trust.verify('h.example', 1965, presented)).toMatchObject(UNAVAILABLE);
  expect(await trust.list(null)).toMatchObject({ value: { entries: [] } });
  broken = false;
  expect(await trust.verify('h.example', 1965, presented)).toMatchObject({ value: { warning: expect.any(String) } });
  expect(await trust.verify('h.example', 1965, presented)).toEqual({ ok: true, value: { warning: null } });
});
