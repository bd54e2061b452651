import { closeSync, openSync, readSync } from 'node:fs';
import { err, ok, type Result } from '../common/result.js';

/** More than any secret needs: a path that leads to something endless must not hold up the start. */
const MAX_SECRET_BYTES = 65_536;

/** Reads the file of a secret; a pipe will do. Fails with the system's code, or `too large` beyond 64 KiB. */
export function readSecretFile(path: string): Result<Uint8Array, string> {
  const content = Buffer.alloc(MAX_SECRET_BYTES + 1);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (let got = -1; got !== 0 && length < content.length; length += got) {
        got = readSync(file, content, length, content.length - length, null);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return err(systemCode(error) ?? 'unreadable');
  }
  return length > MAX_SECRET_BYTES ? err('too large') : ok(content.subarray(0, length));
}

/** The code of a system error, such as `ENOENT`. */
function systemCode(error: unknown): string | null {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : null;
}
