/**
 * Whether a file could be replaced, found out by making another one in its folder: modes and mounts do not tell of a full disk or of
 * a file server that went away. A folder that does not exist yet is as writable as the one that it would be made in.
 */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '../../common/clock.port.js';
import { errorCode, type FileSystem } from './file-system.js';
import { PRIVATE_FILE_MODE } from './replace-file.js';

/** How long an answer is given again, in milliseconds: whoever asks often does not write often. */
export const PROBE_EVERY_MS = 5000;

const ONE_BYTE = Buffer.from('\n');

/** See the file's header. */
export class WriteProbe {
  readonly #path: string;
  readonly #fs: FileSystem;
  readonly #clock: Clock;
  #last: { readonly askedMs: number; readonly answer: Promise<boolean> } | null = null;

  /** @param options.path the file, there or not */
  constructor({ path, fs, clock }: { readonly path: string; readonly fs: FileSystem; readonly clock: Clock }) {
    this.#path = path;
    this.#fs = fs;
    this.#clock = clock;
  }

  /** The answer is at most {@link PROBE_EVERY_MS} old. Never rejects. */
  isWritable(): Promise<boolean> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#last === null || nowMs - this.#last.askedMs >= PROBE_EVERY_MS) {
      this.#last = { askedMs: nowMs, answer: this.#ask() };
    }
    return this.#last.answer;
  }

  /** Stores replace what a link points at. */
  async #ask(): Promise<boolean> {
    return this.#write(dirname(await this.#fs.realpath(this.#path).catch(() => this.#path)));
  }

  async #write(folder: string): Promise<boolean> {
    const path = join(folder, `.gopher-mcp-${randomBytes(8).toString('hex')}.probe`);
    let isMade = false;
    try {
      const handle = await this.#fs.open(path, 'wx', PRIVATE_FILE_MODE);
      isMade = true;
      try {
        await handle.writeFile(ONE_BYTE);
      } finally {
        await handle.close();
      }
      return true;
    } catch (error) {
      const parent = dirname(folder);
      return !isMade && errorCode(error) === 'ENOENT' && parent !== folder ? await this.#write(parent) : false;
    } finally {
      if (isMade) await this.#fs.unlink(path).catch(() => undefined);
    }
  }
}
