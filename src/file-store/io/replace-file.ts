/**
 * Replacing a file so that every reader, and a machine that loses power at any moment, sees the old or the new content and
 * never a part of either: write a temporary file beside it, flush it to the disk, rename it over the old one.
 */
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../common/clock.port.js';
import { errorCode, type FileSystem } from './file-system.js';

/** What the writing depends on. */
export interface WriteSurroundings {
  readonly fs: FileSystem;
  /** Windows has no owner-only modes and does not flush folders. */
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
}

/** Mode of everything that is stored: for its owner alone. */
export const PRIVATE_FILE_MODE = 0o600;

/** Milliseconds between tries to rename over a file that a virus scanner or a reader on Windows has open. */
const BUSY_PAUSES_MS: readonly number[] = [10, 20, 40, 80, 160, 320];

/**
 * Replaces `path` (a real path, no link) with `content`, mode 0600. Rejects with the system's error, the old content in
 * place and no temporary file left.
 *
 * @param mayReplace asked last, when everything but the rename is done; false gives up
 * @returns the state of the file that is now in place, or null when `mayReplace` said no
 */
export async function replaceFile(
  surroundings: WriteSurroundings,
  path: string,
  content: Uint8Array,
  mayReplace: () => Promise<boolean>,
): Promise<BigIntStats | null> {
  const { fs } = surroundings;
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const written = await writeFlushed(fs, temporary, content);
    if (!(await mayReplace())) {
      await fs.unlink(temporary);
      return null;
    }
    await renameOver(surroundings, temporary, path);
    await flushFolder(surroundings, dirname(path));
    return written;
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Makes a new file with `content`, mode 0600, on the disk when this resolves. Rejects when it exists already. */
export async function createPrivateFile(fs: FileSystem, path: string, content: Uint8Array): Promise<void> {
  try {
    await writeFlushed(fs, path, content);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await fs.unlink(path).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes the temporary files of writers that died in the middle. Only the holder of the lock may call it: then no living
 * writer has one. Files of other programs, such as the `.tmp` of gopher-mcp 0.10, are not touched. Best effort.
 */
export async function sweepTemporaries(fs: FileSystem, path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.`;
  const names = await fs.readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{16}\.tmp$/.test(name.slice(prefix.length))) continue;
    await fs.unlink(join(folder, name)).catch(() => undefined);
  }
}

/** Flushes a folder, so that names made or removed in it survive a loss of power. Best effort; nothing on Windows. */
export async function flushFolder(
  { fs, platform }: Pick<WriteSurroundings, 'fs' | 'platform'>,
  folder: string,
): Promise<void> {
  if (platform === 'win32') return;
  try {
    const handle = await fs.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Some file systems cannot; the content itself is on the disk.
  }
}

async function writeFlushed(fs: FileSystem, path: string, content: Uint8Array): Promise<BigIntStats> {
  const handle = await fs.open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    // Unlike one write call, writeFile goes on after a short write, so a full disk is an error and not a torn file.
    await handle.writeFile(content);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

async function renameOver({ fs, platform, clock }: WriteSurroundings, from: string, to: string): Promise<void> {
  for (const pauseMs of platform === 'win32' ? BUSY_PAUSES_MS : []) {
    try {
      await fs.rename(from, to);
      return;
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
    }
    await new Promise<void>((resolve) => void clock.setTimer(pauseMs, resolve));
  }
  await fs.rename(from, to);
}
