/** The part of node:fs/promises that the stores use, as a value, so that tests can make any one call fail. */
import type { BigIntStats } from 'node:fs';
import * as promises from 'node:fs/promises';

export type FileSystem = Pick<
  typeof promises,
  'chmod' | 'mkdir' | 'open' | 'readdir' | 'realpath' | 'rename' | 'rm' | 'rmdir' | 'stat' | 'unlink'
>;

/** The real one. */
export const nodeFileSystem: FileSystem = promises;

/** The system's error code (`ENOENT`, ...) of something that was thrown; undefined when it has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error says that the file, or a folder on the way to it, does not exist. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether two looks at a path saw the same content, as far as size, inode and time tell. */
export function isSameState(one: BigIntStats, other: BigIntStats): boolean {
  return one.mtimeNs === other.mtimeNs && one.ino === other.ino && one.size === other.size && one.dev === other.dev;
}
