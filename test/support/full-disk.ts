/**
 * A disk that gets full. A small file system of its own where one can be mounted (root on Linux); elsewhere a file system whose
 * writes stop halfway with the error that a full disk gives.
 */
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { nodeFileSystem, type FileSystem } from '../../src/file-store/index.js';
import { temporaryFolder } from './temporary-folder.js';

const run = promisify(execFile);

/** Bytes of the mounted file system; two pages and what else it needs. */
const MOUNTED_BYTES = 256 * 1024;

export interface FullableDisk {
  readonly folder: string;
  readonly fs: FileSystem;
  /** Leaves room for `bytes` at most. */
  fill(bytes: number): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

export async function fullableDisk(): Promise<FullableDisk> {
  const folder = await temporaryFolder();
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${MOUNTED_BYTES}`, 'tmpfs', folder.path]).then(
    () => true,
    () => false,
  );
  return mounted ? mountedDisk(folder.path, () => folder.remove()) : pretendedDisk(folder.path, () => folder.remove());
}

function mountedDisk(folder: string, remove: () => Promise<void>): FullableDisk {
  const filler = join(folder, 'filler');
  return {
    folder,
    fs: nodeFileSystem,
    fill: async (bytes) => {
      const { bavail, bsize } = await statfs(folder);
      const handle = await open(filler, 'w');
      try {
        await handle.writeFile(Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
      } finally {
        await handle.close();
      }
    },
    free: () => rm(filler, { force: true }),
    remove: async () => {
      await run('umount', [folder]);
      await remove();
    },
  };
}

function pretendedDisk(folder: string, remove: () => Promise<void>): FullableDisk {
  let room = Infinity;
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: async (...args) => {
      const handle = await nodeFileSystem.open(...args);
      const writeFile = handle.writeFile.bind(handle);
      handle.writeFile = async (content) => {
        const bytes = Buffer.from(content as Buffer);
        await writeFile(bytes.subarray(0, Math.min(room, bytes.length)));
        if (bytes.length > room) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      };
      return handle;
    },
  };
  return {
    folder,
    fs,
    fill: async (bytes) => void (room = bytes),
    free: async () => void (room = Infinity),
    remove,
  };
}
