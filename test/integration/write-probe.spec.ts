/** Whether a store could be written, asked of a real disk. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFileSystem, WriteProbe, type FileSystem } from '../../src/file-store/index.js';
import { PROBE_EVERY_MS } from '../../src/file-store/io/write-probe.js';
import { FakeClock } from '../support/fake-clock.js';
import { fullableDisk } from '../support/full-disk.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let clock: FakeClock;
beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new FakeClock();
});
afterEach(() => folder.remove());

function probe(path: string, fs: FileSystem = nodeFileSystem): WriteProbe {
  return new WriteProbe({ path: join(folder.path, path), fs, clock });
}

/** The real file system, which refuses to make files in these folders; notes where it was asked to. */
function refusing(code: string, folders: readonly string[]): { fs: FileSystem; asked: string[] } {
  const asked: string[] = [];
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: async (...args) => {
      const place = join(String(args[0]), '..');
      asked.push(place);
      if (folders.includes(place)) throw Object.assign(new Error(code), { code });
      return nodeFileSystem.open(...args);
    },
  };
  return { fs, asked };
}

test('a folder that takes files is writable, and nothing is left in it', async () => {
  expect(await probe('tofu.json').isWritable()).toBe(true);
  expect(await readdir(folder.path)).toEqual([]);
});

test.each(['EACCES', 'EROFS', 'EDQUOT'])('a folder that refuses them (%s) is not', async (code) => {
  const { fs, asked } = refusing(code, [folder.path]);
  expect(await probe('tofu.json', fs).isWritable()).toBe(false);
  expect(asked).toEqual([folder.path]);
});

test('a folder that is not there yet is as writable as the one it would be made in', async () => {
  expect(await probe('some/where/tofu.json').isWritable()).toBe(true);
  expect(await readdir(folder.path)).toEqual([]);
  expect(await probe('some/where/tofu.json', refusing('EACCES', [folder.path]).fs).isWritable()).toBe(false);
});

test('what is in the way of a folder makes it unwritable', async () => {
  await writeFile(join(folder.path, 'certs'), 'a file');
  expect(await probe('certs/registry.json').isWritable()).toBe(false);
});

test('of a link, the folder of what it points at counts', async () => {
  const elsewhere = join(folder.path, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'pins.json'), '{}');
  await symlink(join(elsewhere, 'pins.json'), join(folder.path, 'tofu.json'));
  expect(await probe('tofu.json', refusing('EROFS', [elsewhere]).fs).isWritable()).toBe(false);
});

test('a full disk is not writable, and is again once there is room', async () => {
  const disk = await fullableDisk();
  try {
    const onDisk = new WriteProbe({ path: join(disk.folder, 'tofu.json'), fs: disk.fs, clock });
    await disk.fill(0);
    expect(await onDisk.isWritable()).toBe(false);
    await disk.free();
    clock.advance(PROBE_EVERY_MS);
    expect(await onDisk.isWritable()).toBe(true);
    expect(await readdir(disk.folder)).toEqual([]);
  } finally {
    await disk.remove();
  }
});

test('the disk is asked once for all who ask within five seconds', async () => {
  const { fs, asked } = refusing('none', []);
  const shared = probe('tofu.json', fs);
  await Promise.all([shared.isWritable(), shared.isWritable()]);
  clock.advance(PROBE_EVERY_MS - 1);
  await shared.isWritable();
  expect(asked).toHaveLength(1);
  await rm(folder.path, { recursive: true });
  await writeFile(folder.path, 'in the way');
  expect(await shared.isWritable()).toBe(true);
  clock.advance(1);
  expect(await shared.isWritable()).toBe(false);
});
