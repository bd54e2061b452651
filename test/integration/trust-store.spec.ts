/** The pin file: its format, its freshness, and what happens to it when something else than this process changes it. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deadline } from '../../src/common/deadline.js';
import type { Failure } from '../../src/common/error-codes.js';
import { nodeFileSystem, type FileSystem } from '../../src/file-store/index.js';
import { JsonFileTrustStore, SIGHTINGS_EVERY_MS } from '../../src/trust/io/json-file-trust-store.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { describeTrustStore, HOST, OTHER_PORT, put, somePin } from '../support/trust-store-contract.js';

let folder: TemporaryFolder;
let path: string;
let warnings: Failure[];

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'tofu.json');
  warnings = [];
});
afterEach(() => folder.remove());

function open(over: Partial<ConstructorParameters<typeof JsonFileTrustStore>[0]> = {}): JsonFileTrustStore {
  return new JsonFileTrustStore({
    path,
    clock: new SystemClock(),
    platform: process.platform,
    warn: (failure) => warnings.push(failure),
    ...over,
  });
}

describeTrustStore('JsonFileTrustStore', async () => ({
  store: open(),
  another: () => open(),
  dispose: () => Promise.resolve(),
}));

describe('the file', () => {
  test('has the format that gopher-mcp 0.10 reads, and only its owner may', async () => {
    await put(open(), somePin());
    expect(await readFile(path, 'utf8')).toBe(
      [
        '{',
        '  "a.example:1965": {',
        '    "host": "a.example",',
        '    "port": 1965,',
        `    "fingerprint": "${'aa'.repeat(32)}",`,
        '    "first_seen": 1700000000.25,',
        '    "last_seen": 1700000001,',
        '    "expires": 1800000000,',
        `    "spki": "${'ee'.repeat(32)}"`,
        '  }',
        '}',
      ].join('\n'),
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['tofu.json']);
  });

  test('keeps other pins as they are, with what is not known of them, beyond ASCII escaped', async () => {
    const other = {
      host: 'b.example',
      port: 1965,
      fingerprint: 'bb'.repeat(32),
      first_seen: 1700000000.6880574,
      last_seen: 1700000000.6880574,
      expires: null,
      note: 'ü \u{1F40C}',
    };
    await writeFile(path, JSON.stringify({ 'b.example:1965': other }));
    await put(open(), somePin());
    const text = await readFile(path, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ 'b.example:1965': other });
    expect(text).toContain(String.raw`"note": "\u00fc \ud83d\udc0c"`);
  });

  test('is made private when it was not', async () => {
    await writeFile(path, '{}', { mode: 0o644 });
    await put(open(), somePin());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('is made with its missing parents', async () => {
    path = join(folder.path, 'a', 'b', 'tofu.json');
    expect(await put(open(), somePin())).toMatchObject({ ok: true });
    expect(await open().read(HOST)).toMatchObject({ value: somePin() });
  });

  test('stays where a link leads', async () => {
    await mkdir(join(folder.path, 'elsewhere'));
    const target = join(folder.path, 'elsewhere', 'pins.json');
    await writeFile(target, '{}');
    await symlink(target, path);
    await put(open(), somePin());
    expect(Object.keys(JSON.parse(await readFile(target, 'utf8')))).toEqual(['a.example:1965']);
  });

  test('is not written when a change keeps everything', async () => {
    await open().update(HOST, () => ({ write: 'keep', value: null }));
    expect(await readdir(folder.path)).toEqual([]);
  });

  test.each([
    ['nothing at all', ''],
    ['no JSON', '{bad'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a pin that is no object', '{"a.example:1965": 1}'],
    ['a pin without fingerprint', '{"a.example:1965": {"host": "a.example", "first_seen": 1, "last_seen": 1}}'],
    ['the start of a file', '{"a.example:1965": {"host": "a.exa'],
  ])('with %s is refused and never overwritten', async (_, text) => {
    await writeFile(path, text);
    const store = open();
    const unavailable = { ok: false, error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } };
    expect(await store.read(HOST)).toMatchObject(unavailable);
    expect(await store.readAll()).toMatchObject(unavailable);
    expect(await put(store, somePin())).toMatchObject(unavailable);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readdir(folder.path)).toEqual(['tofu.json']);
  });

  test('is served again as soon as it is repaired', async () => {
    await writeFile(path, '{bad');
    const store = open();
    expect(await store.read(HOST)).toMatchObject({ ok: false });
    await writeFile(path, '{}');
    expect(await store.read(HOST)).toEqual({ ok: true, value: null });
  });

  test('failures name the setting and no path', async () => {
    await writeFile(path, '{bad');
    const failed = await open().readAll();
    expect(failed).toMatchObject({
      error: { facts: { next_step: expect.stringContaining('GEMINI_TOFU_STORAGE_PATH') } },
    });
    expect(JSON.stringify([failed.ok || failed.error.message, failed.ok || failed.error.facts])).not.toContain(
      folder.path,
    );
  });

  test('under a path that leads through a file counts as missing, and cannot be written', async () => {
    path = '/dev/null/x/tofu.json';
    expect(await open().readAll()).toEqual({ ok: true, value: new Map() });
    expect(await put(open(), somePin())).toMatchObject({ error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } });
  });

  test('that is a folder cannot be read', async () => {
    await mkdir(path);
    expect(await open().read(HOST)).toMatchObject({ error: { code: 'CERTIFICATE_STORE_UNAVAILABLE' } });
  });
});

describe('freshness', () => {
  /** Counts how often the file is opened for reading. */
  function counting(): { fs: FileSystem; reads: () => number } {
    let reads = 0;
    const fs: FileSystem = {
      ...nodeFileSystem,
      open: async (...args) => {
        if (args[0] === path) reads += 1;
        return nodeFileSystem.open(...args);
      },
    };
    return { fs, reads: () => reads };
  }

  async function age(seconds: number): Promise<void> {
    const then = Date.now() / 1000 - seconds;
    await utimes(path, then, then);
  }

  test('an unchanged file is read once', async () => {
    await put(open(), somePin());
    await age(10);
    const { fs, reads } = counting();
    const store = open({ fs });
    for (let i = 0; i < 5; i++) expect(await store.read(HOST)).toMatchObject({ value: somePin() });
    expect(reads()).toBe(1);
  });

  test('a file changed a moment ago is read again: its time does not tell it from the next change', async () => {
    await put(open(), somePin());
    const { fs, reads } = counting();
    const store = open({ fs });
    await store.read(HOST);
    await store.read(HOST);
    expect(reads()).toBe(2);
  });

  test('two changes within one tick of the clock, of the same size, are told apart', async () => {
    const then = new Date(Date.now() - 1);
    await put(open(), somePin());
    await utimes(path, then, then);
    const store = open();
    expect(await store.read(HOST)).toMatchObject({ value: somePin() });
    const text = (await readFile(path, 'utf8')).replaceAll('aa', 'bb');
    await writeFile(path, text);
    await utimes(path, then, then);
    expect(await store.read(HOST)).toMatchObject({ value: somePin('bb') });
  });

  test.each([
    ['its size', async () => writeFile(path, '{ }')],
    [
      'its inode',
      async () => {
        const text = (await readFile(path, 'utf8')).replaceAll('aa', 'bb');
        const { mtime } = await stat(path);
        await writeFile(`${path}.new`, text);
        await utimes(`${path}.new`, mtime, mtime);
        await rename(`${path}.new`, path);
      },
    ],
    [
      'its time',
      async () => {
        const text = (await readFile(path, 'utf8')).replaceAll('aa', 'bb');
        await writeFile(path, text);
      },
    ],
    ['its absence', async () => unlink(path)],
  ])('a change is seen by %s', async (_, change) => {
    await put(open(), somePin());
    await age(10);
    const store = open();
    expect(await store.read(HOST)).toMatchObject({ value: somePin() });
    await change();
    expect(await store.read(HOST)).not.toMatchObject({ value: somePin() });
  });
});

describe('sightings', () => {
  const SEEN = { ...somePin(), seenSeconds: 1_750_000_000, expiresSeconds: 1_800_000_000 };
  const onDisk = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))['a.example:1965'].last_seen;

  test('are not written within a minute, then with the next one', async () => {
    const clock = new FakeClock(Date.now());
    const store = open({ clock });
    await put(store, somePin());
    clock.advance(SIGHTINGS_EVERY_MS - 1);
    store.sighted(HOST, SEEN);
    await store.update(HOST, () => ({ write: 'keep', value: null }));
    expect(await onDisk()).toBe(1_700_000_001);
    clock.advance(1);
    store.sighted(HOST, { ...SEEN, seenSeconds: 1_750_000_001 });
    await store.update(HOST, () => ({ write: 'keep', value: null }));
    expect(await onDisk()).toBe(1_750_000_001);
  });

  test('are written along with any other change', async () => {
    const store = open();
    await put(store, somePin());
    store.sighted(HOST, SEEN);
    await put(store, somePin('bb'), OTHER_PORT);
    expect(await onDisk()).toBe(1_750_000_000);
  });

  test('that cannot be written fail no request, and are written later', async () => {
    let broken = false;
    const fs: FileSystem = {
      ...nodeFileSystem,
      rename: async (...args) => {
        if (broken) throw Object.assign(new Error('no'), { code: 'EIO' });
        return nodeFileSystem.rename(...args);
      },
    };
    const store = open({ fs });
    await put(store, somePin());
    store.sighted(HOST, SEEN);
    broken = true;
    await store.close();
    expect(warnings).toMatchObject([{ code: 'CERTIFICATE_STORE_UNAVAILABLE' }]);
    expect(await store.read(HOST)).toMatchObject({ value: { lastSeenSeconds: 1_750_000_000 } });
    broken = false;
    await store.close();
    expect(await onDisk()).toBe(1_750_000_000);
  });

  test('of the certificate before are dropped when the pin is replaced', async () => {
    const store = open();
    await put(store, somePin());
    store.sighted(HOST, SEEN);
    await put(store, somePin('bb'));
    await store.close();
    expect(await onDisk()).toBe(1_700_000_001);
  });
});

describe('deadlines', () => {
  test('end the wait for a change that has not begun', async () => {
    const deadline = new Deadline(new SystemClock(), 20);
    await mkdir(`${path}.lock.d`);
    const store = open();
    expect(await store.update(HOST, () => ({ write: somePin(), value: null }), deadline)).toMatchObject({
      error: { code: 'FETCH_ERROR', facts: { reason: 'timeout' } },
    });
    // Given up: it is not made later, when the lock is free again.
    const then = Date.now() / 1000 - 120;
    await utimes(`${path}.lock.d`, then, then);
    await put(store, somePin('bb'), OTHER_PORT);
    expect(await store.read(HOST)).toEqual({ ok: true, value: null });
    deadline.dispose();
  });

  test('do not matter to a change that is made in time', async () => {
    const deadline = new Deadline(new SystemClock(), 10_000);
    expect(await open().update(HOST, () => ({ write: somePin(), value: 'made' }), deadline)).toEqual({
      ok: true,
      value: 'made',
    });
    deadline.dispose();
  });

  test('that have ended refuse at once', async () => {
    const caller = new AbortController();
    caller.abort();
    const deadline = new Deadline(new SystemClock(), 10_000, caller.signal);
    expect(await open().update(HOST, () => ({ write: somePin(), value: null }), deadline)).toMatchObject({
      error: { facts: { reason: 'cancelled' } },
    });
    expect(await open().read(HOST)).toEqual({ ok: true, value: null });
  });
});

test('on Windows neither folders are flushed nor modes set, and a busy file is tried again', async () => {
  let busy = 2;
  const flushed: string[] = [];
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: async (...args) => {
      if (args[0] === folder.path) flushed.push(folder.path);
      return nodeFileSystem.open(...args);
    },
    rename: async (from, to) => {
      if (to === path && busy-- > 0) throw Object.assign(new Error('busy'), { code: 'EPERM' });
      return nodeFileSystem.rename(from, to);
    },
  };
  expect(await put(open({ fs, platform: 'win32' }), somePin())).toMatchObject({ ok: true });
  expect(busy).toBe(-1);
  expect(flushed).toEqual([]);
  expect(await put(open({ fs, platform: 'linux' }), somePin('bb'))).toMatchObject({ ok: true });
  expect(flushed).toEqual([folder.path]);
});

test('a read-only file is replaced, for its folder allows it', async () => {
  await writeFile(path, '{}');
  await chmod(path, 0o400);
  expect(await put(open(), somePin())).toMatchObject({ ok: true });
});
