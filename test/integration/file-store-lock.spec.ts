/** The folder lock: who gets it, who waits, and what happens to the lock of a process that died. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../src/common/clock.port.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { ownerMark, type LockOwner, type ProcessSighting } from '../../src/file-store/core/lock-owner.js';
import { nodeFileSystem, type FileSystem } from '../../src/file-store/io/file-system.js';
import { ABANDONED_MS, FolderLock, LOCK_WAIT_MS, type HeldLock } from '../../src/file-store/io/folder-lock.js';
import { KeyedJsonFile } from '../../src/file-store/io/keyed-json-file.js';
import { NodeProcessTable, type ProcessTable } from '../../src/file-store/io/process-table.js';
import { HurriedClock } from '../support/hurried-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const SELF: LockOwner = { pid: 100, started: '1', host: 'here' };
const DEAD: LockOwner = { pid: 200, started: '1', host: 'here' };
const ALIVE: LockOwner = { pid: 300, started: '1', host: 'here' };
const ELSEWHERE: LockOwner = { pid: 200, started: '1', host: 'elsewhere' };

class FakeProcesses implements ProcessTable {
  constructor(private readonly me = SELF) {}

  async self(): Promise<LockOwner> {
    return this.me;
  }

  async look(pid: number): Promise<ProcessSighting> {
    return pid === DEAD.pid ? { running: false } : { running: true, started: '1' };
  }
}

let folder: TemporaryFolder;
let path: string;
/** Five seconds are a fifth of one. */
const clock = new HurriedClock(25);

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'x.lock.d');
});
afterEach(() => folder.remove());

function lock(over: { me?: LockOwner; fs?: FileSystem; clock?: Clock } = {}): FolderLock {
  return new FolderLock(path, over.fs ?? nodeFileSystem, new FakeProcesses(over.me), over.clock ?? clock);
}

async function take(over: Parameters<typeof lock>[0] = {}): Promise<HeldLock> {
  const held = await lock(over).acquire();
  if (!held.ok) throw new Error(held.error.kind);
  return held.value;
}

/** A lock as an owner left it, `ageMs` ago. */
async function leave(owner: LockOwner | null, ageMs = 0): Promise<void> {
  await mkdir(owner === null ? path : join(path, ownerMark(owner, 'abcd')), { recursive: true });
  const then = new Date(clock.nowMs() - ageMs);
  await utimes(path, then, then);
}

describe('taking', () => {
  test('makes the folder, missing parents included, and letting go leaves nothing', async () => {
    path = join(folder.path, 'a', 'b', 'x.lock.d');
    const held = await take();
    expect(await held.stillHeld()).toBe(true);
    expect(await readdir(path)).toEqual([expect.stringMatching(/^100\.1\.[0-9a-f]{16}\.here$/)]);
    await held.release();
    expect(await held.stillHeld()).toBe(false);
    expect(await readdir(join(folder.path, 'a', 'b'))).toEqual([]);
  });

  test('waits for a holder, and comes after it', async () => {
    const first = await take();
    const second = lock().acquire();
    let there = false;
    void second.then(() => (there = true));
    await delay(20);
    expect(there).toBe(false);
    await first.release();
    const held = await second;
    expect(held.ok && (await held.value.stillHeld())).toBe(true);
  });

  test('is given up after five seconds, and leaves nothing of the attempt', async () => {
    await leave(ALIVE, 10 * ABANDONED_MS);
    const startMs = clock.monotonicMs();
    expect(await lock().acquire()).toEqual({ ok: false, error: { kind: 'busy' } });
    expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(LOCK_WAIT_MS);
    expect(clock.monotonicMs() - startMs).toBeLessThan(2 * LOCK_WAIT_MS);
    expect(await readdir(folder.path)).toEqual(['x.lock.d']);
  });

  test('is exclusive among many', async () => {
    let inside = 0;
    const visits = Array.from({ length: 20 }, async () => {
      const held = await take({ clock: new SystemClock() });
      expect(++inside).toBe(1);
      await delay(1);
      inside -= 1;
      await held.release();
    });
    await Promise.all(visits);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('fails where nothing can be made', async () => {
    await writeFile(join(folder.path, 'file'), '');
    path = join(folder.path, 'file', 'x.lock.d');
    expect(await lock().acquire()).toMatchObject({ ok: false, error: { kind: 'unusable' } });
  });

  test('fails where a file has the name of the lock', async () => {
    await writeFile(path, '');
    expect(await lock().acquire()).toMatchObject({ ok: false, error: { kind: 'unusable' } });
    expect(await readdir(folder.path)).toEqual(['x.lock.d']);
  });

  test('fails at once where renaming is refused', async () => {
    const fs = { ...nodeFileSystem, rename: () => Promise.reject(Object.assign(new Error('no'), { code: 'EROFS' })) };
    expect(await lock({ fs }).acquire()).toMatchObject({ ok: false, error: { kind: 'unusable' } });
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('the lock of', () => {
  test('a dead owner is broken at once', async () => {
    await leave(DEAD);
    const held = await lock().acquire();
    expect(held).toMatchObject({ ok: true });
    expect(await readdir(path)).toEqual([expect.stringMatching(/^100\./)]);
    expect(await readdir(folder.path)).toEqual(['x.lock.d']);
  });

  test('a dead owner goes to one of many breakers at a time', async () => {
    await leave(DEAD);
    let inside = 0;
    let visits = 0;
    const breakers = Array.from({ length: 12 }, async () => {
      const held = await take({ clock: new SystemClock() });
      expect(++inside).toBe(1);
      expect(await held.stillHeld()).toBe(true);
      inside -= 1;
      visits += 1;
      await held.release();
    });
    await Promise.all(breakers);
    expect(visits).toBe(12);
  });

  test('a dead owner is not broken by a breaker who judged it before another took it', async () => {
    await leave(DEAD);
    // The slow one stands between judging and breaking while the quick one breaks, and takes the lock.
    let resume: () => void = () => undefined;
    const standing = new Promise<void>((resolve) => (resume = resolve));
    const fs: FileSystem = {
      ...nodeFileSystem,
      rename: async (from, to) => {
        if (String(from).includes(ownerMark(DEAD, 'abcd'))) await standing;
        return nodeFileSystem.rename(from, to);
      },
    };
    const slow = lock({ fs, me: { ...SELF, pid: 101 } }).acquire();
    const quick = await take();
    resume();
    await delay(20);
    expect(await quick.stillHeld()).toBe(true);
    await quick.release();
    expect(await slow).toMatchObject({ ok: true });
  });

  test.each([
    ['an owner on another host', ELSEWHERE],
    ['nobody', null],
  ])('%s is respected until it must have been left behind', async (_, owner) => {
    await leave(owner, ABANDONED_MS - 1000 - LOCK_WAIT_MS);
    expect(await lock().acquire()).toEqual({ ok: false, error: { kind: 'busy' } });
    await leave(owner, ABANDONED_MS + 1000);
    expect(await lock().acquire()).toMatchObject({ ok: true });
  });

  test('an unknown kind of owner is respected like one that cannot be judged', async () => {
    await mkdir(path);
    await writeFile(join(path, 'owner.json'), '{}');
    expect(await lock().acquire()).toEqual({ ok: false, error: { kind: 'busy' } });
  });
});

describe('a hold that was taken over', () => {
  test('is seen by its former holder, who then takes nothing away', async () => {
    const held = await take({ me: ELSEWHERE });
    const then = new Date(clock.nowMs() - ABANDONED_MS - 1000);
    await utimes(path, then, then);
    const heir = await take();
    expect(await held.stillHeld()).toBe(false);
    await held.release();
    expect(await heir.stillHeld()).toBe(true);
  });

  test('lets no write through', async () => {
    const file = join(folder.path, 'x');
    const fs: FileSystem = {
      ...nodeFileSystem,
      // Somebody takes the lock over while the content is being written.
      open: async (...args) => {
        if (String(args[0]).endsWith('.tmp')) {
          const [mark] = await readdir(`${file}.lock.d`);
          await nodeFileSystem.rename(join(`${file}.lock.d`, mark!), join(`${file}.lock.d`, ownerMark(ALIVE, 'abcd')));
        }
        return nodeFileSystem.open(...args);
      },
    };
    const store = new KeyedJsonFile<number>({
      path: file,
      fs,
      label: 'x',
      setting: 'X',
      clock: new SystemClock(),
      platform: process.platform,
      codec: { parse: () => new Map(), serialise: () => ({}) },
    });
    expect(await store.update(() => ({ edits: [{ key: 'k', entry: 1 }], value: null }))).toMatchObject({
      error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' },
    });
    expect(await readdir(folder.path)).toEqual(['x.lock.d']);
  });
});

describe('sweeping', () => {
  test('removes what dead waiters left, and nothing of the living or of others', async () => {
    const staged = (nonce: string, owner: LockOwner): Promise<unknown> =>
      mkdir(join(`${path}.${nonce}`, ownerMark(owner, nonce)), { recursive: true });
    await staged('00000000000000aa', DEAD);
    await staged('00000000000000bb', ALIVE);
    await staged('00000000000000cc', ELSEWHERE);
    await writeFile(join(folder.path, 'x.lock'), '');
    await writeFile(join(folder.path, 'x.lock.d.note'), '');
    await lock().sweep();
    expect((await readdir(folder.path)).sort()).toEqual([
      'x.lock',
      'x.lock.d.00000000000000bb',
      'x.lock.d.00000000000000cc',
      'x.lock.d.note',
    ]);
  });
});

describe('NodeProcessTable', () => {
  const table = new NodeProcessTable();

  test('knows this process, and sees it run', async () => {
    const self = await table.self();
    expect(self).toEqual({
      pid: process.pid,
      started: expect.stringMatching(/^\d+$/),
      host: expect.stringMatching(/^[\w.-]+$/),
    });
    expect(await table.self()).toEqual(self);
    expect(await table.look(process.pid)).toMatchObject({ running: true });
  });

  test('sees a process with its start, and that it has ended, its parent not having noticed yet', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid!;
    const seen = await table.look(pid);
    const onLinux = await stat('/proc/self/stat').then(
      () => true,
      () => false,
    );
    expect(seen).toEqual({ running: true, started: onLinux ? expect.stringMatching(/^\d+$/) : null });
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect(await table.look(pid)).toEqual({ running: false });
  });

  test('takes no zombie for a living process', async () => {
    const onLinux = await readFile('/proc/self/stat', 'latin1').then(
      () => true,
      () => false,
    );
    // The shell starts a process, then becomes one that never asks after its children.
    const shell = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    let seen = await table.look(pid);
    for (let i = 0; seen.running && i < 200 && onLinux; i++) {
      await delay(10);
      seen = await table.look(pid);
    }
    expect(seen.running).toBe(!onLinux);
    const exit = once(shell, 'exit');
    shell.kill('SIGKILL');
    await exit;
  });
});
