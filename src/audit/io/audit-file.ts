/**
 * The audit file: opened for appending, for its owner alone when it is new. Whatever moves it away (logrotate, an operator) needs tell
 * nobody: before each write it is looked whether the name still leads to the open file, and if not, the name is opened anew.
 */
import { open, readFile, rename, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '../../common/result.js';
import type { AuditSink } from '../audit-sink.port.js';
import { CHAIN_START, formatLink, openSeal, parseLink, type ChainLink } from '../core/chain.js';

/** Ending of the file beside it that notes where the chain stands. */
export const HEAD_SUFFIX = '.head';

/** More than the longest line. */
const TAIL_BYTES = 262_144;

const OWNER_ONLY = 0o600;

/** An open audit file. */
export interface OpenedAuditFile {
  readonly sink: AuditSink;
  /** Where its chain goes on. */
  readonly last: ChainLink;
  /** Whether lines that were written are missing at its end. */
  readonly isCut: boolean;
}

/** Opens the file and reads where its chain stands. Fails with the error code of the system, e.g. `ENOENT`. */
export async function openAuditFile(path: string): Promise<Result<OpenedAuditFile, string>> {
  try {
    const handle = await open(path, 'a+', OWNER_ONLY);
    const tail = await readTail(handle);
    // A line that a crash cut off must not swallow the next one.
    if (tail !== '' && !tail.endsWith('\n')) await handle.appendFile('\n');
    const lastLine = tail
      .split('\n')
      .map(openSeal)
      .findLast((sealed) => sealed !== null);
    const written = lastLine ?? CHAIN_START;
    const noted = (await readHead(path)) ?? CHAIN_START;
    const { seq, hash } = noted.seq > written.seq ? noted : written;
    const isCut = tail !== '' && noted.seq > written.seq;
    return ok({ sink: new AuditFile(path, handle), last: { seq, hash }, isCut });
  } catch (error) {
    return err(systemCode(error));
  }
}

/** What is noted of the chain of the file at `path`; null when nothing is. */
export async function readHead(path: string): Promise<ChainLink | null> {
  try {
    return parseLink(await readFile(path + HEAD_SUFFIX, 'latin1'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

class AuditFile implements AuditSink {
  constructor(
    private readonly path: string,
    private handle: FileHandle,
  ) {}

  async append(bytes: Buffer): Promise<number> {
    await this.#reopenIfMoved();
    const { bytesWritten } = await this.handle.write(bytes);
    return bytesWritten;
  }

  async note(link: ChainLink): Promise<void> {
    const head = this.path + HEAD_SUFFIX;
    const next = `${head}.new`;
    await writeFile(next, formatLink(link), { mode: OWNER_ONLY });
    await rename(next, head);
  }

  async close(): Promise<void> {
    // A stream or a pipe behind the name cannot be flushed to a disk.
    await this.handle.sync().catch(() => undefined);
    await this.handle.close();
  }

  async #reopenIfMoved(): Promise<void> {
    const [named, opened] = await Promise.all([statOrNull(this.path), this.handle.stat()]);
    if (named !== null && named.ino === opened.ino && named.dev === opened.dev) return;
    const next = await open(this.path, 'a', OWNER_ONLY);
    const moved = this.handle;
    this.handle = next;
    await moved.close();
  }
}

async function statOrNull(path: string): Promise<{ readonly ino: number; readonly dev: number } | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function readTail(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8', 0, bytesRead);
}

/** Such as `EACCES`; `UNKNOWN` for what is no error of the system. */
export function systemCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'UNKNOWN';
}
