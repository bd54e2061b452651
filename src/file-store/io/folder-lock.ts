/**
 * A lock between processes, made of a folder: pure JavaScript has no advisory file locks.
 *
 * The lock is held while the folder exists with one entry, the owner's mark (process id, start, host: core/lock-owner).
 * - Taking it: the folder is made under a private name, mark inside, and renamed into place. A rename never replaces
 *   a folder that has entries, so exactly one contender succeeds, and no lock is ever without its owner's name.
 * - Breaking it: the dead owner's mark is renamed to one's own. That names the very hold that was judged, so of two
 *   breakers one finds it gone, and a lock that changed hands in the meantime is never taken from the living.
 * - Letting go: the folder is renamed away, then removed.
 *
 * A living owner is never robbed. An owner that cannot be judged (another host, another container, no mark) is given up
 * once the lock is {@link ABANDONED_MS} old: a hold lasts milliseconds, and holders look again before they write.
 */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../common/clock.port.js';
import { err, ok, type Result } from '../../common/result.js';
import { judgeOwner, ownerMark, parseOwnerMark } from '../core/lock-owner.js';
import { errorCode, isMissing, type FileSystem } from './file-system.js';
import type { ProcessTable } from './process-table.js';

/** Longest wait for a lock, in milliseconds. */
export const LOCK_WAIT_MS = 5000;

/** Age at which the lock of an owner that cannot be judged counts as left behind, in milliseconds. */
export const ABANDONED_MS = 60_000;

/** Bounds of the random pause between two tries, in milliseconds. */
const PAUSE_MS = { least: 2, spread: 18 };

/** How systems say that a folder with entries is in the way; Windows says EPERM, or EACCES while somebody looks into it. */
const TAKEN_CODES: ReadonlySet<string> = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES', 'EBUSY']);

/** A lock that is held. */
export interface HeldLock {
  /** Whether it still is; false only after a stop longer than {@link ABANDONED_MS}. Ask right before a write. */
  stillHeld(): Promise<boolean>;
  /** Lets go. Never rejects. */
  release(): Promise<void>;
}

/** Why there is no lock. */
export type LockFault =
  /** Another owner held it for all of {@link LOCK_WAIT_MS}. */
  | { readonly kind: 'busy' }
  /** It cannot be made here. */
  | { readonly kind: 'unusable'; readonly cause: unknown };

export class FolderLock {
  /** @param path the lock folder, e.g. `tofu.json.lock.d` */
  constructor(
    private readonly path: string,
    private readonly fs: FileSystem,
    private readonly processes: ProcessTable,
    private readonly clock: Clock,
  ) {}

  /** Takes the lock, waiting at most {@link LOCK_WAIT_MS}. Missing parent folders are made. */
  async acquire(): Promise<Result<HeldLock, LockFault>> {
    const nonce = randomBytes(8).toString('hex');
    const staged = `${this.path}.${nonce}`;
    const giveUpMs = this.clock.monotonicMs() + LOCK_WAIT_MS;
    try {
      const mark = ownerMark(await this.processes.self(), nonce);
      await this.fs.mkdir(join(staged, mark), { recursive: true });
      while (!(await this.#take(staged, mark))) {
        if (this.clock.monotonicMs() >= giveUpMs) {
          await this.#remove(staged);
          return err({ kind: 'busy' });
        }
        await this.#pause();
      }
      return ok({ stillHeld: () => this.#exists(join(this.path, mark)), release: () => this.#release(staged, mark) });
    } catch (cause) {
      await this.#remove(staged);
      return err({ kind: 'unusable', cause });
    }
  }

  /** Removes what processes that died while waiting left beside the lock. Best effort. */
  async sweep(): Promise<void> {
    const folder = dirname(this.path);
    const prefix = `${basename(this.path)}.`;
    const names = await this.fs.readdir(folder).catch(() => []);
    for (const name of names) {
      if (!name.startsWith(prefix) || !/^[0-9a-f]{16}$/.test(name.slice(prefix.length))) continue;
      const left = join(folder, name);
      // One that is empty goes at once: whoever is about to put a mark in makes it again.
      await this.fs.rmdir(left).catch(() => undefined);
      const [mark] = await this.fs.readdir(left).catch(() => []);
      if (mark !== undefined && (await this.#isLeftBehind(left, mark).catch(() => false))) await this.#remove(left);
    }
  }

  /** One try. Resolves whether the lock is ours now. */
  async #take(staged: string, mark: string): Promise<boolean> {
    const marks = await this.#marks();
    if (marks === null) return this.#moveIn(staged);
    const [holder] = marks;
    if (!(await this.#isLeftBehind(this.path, holder))) return false;
    if (holder === undefined) {
      await this.fs.rmdir(this.path).catch(() => undefined);
      return false;
    }
    try {
      await this.fs.rename(join(this.path, holder), join(this.path, mark));
    } catch {
      return false;
    }
    await this.#remove(staged);
    return true;
  }

  /** The entries of the lock folder; null when there is none. */
  async #marks(): Promise<readonly string[] | null> {
    try {
      return await this.fs.readdir(this.path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async #moveIn(staged: string): Promise<boolean> {
    try {
      await this.fs.rename(staged, this.path);
      return true;
    } catch (error) {
      if (TAKEN_CODES.has(errorCode(error) ?? '')) return false;
      throw error;
    }
  }

  /** Whether the owner named by `mark` in `folder` is dead, or cannot be judged and the folder is old. */
  async #isLeftBehind(folder: string, mark: string | undefined): Promise<boolean> {
    const owner = mark === undefined ? null : parseOwnerMark(mark);
    if (owner !== null) {
      const verdict = judgeOwner(owner, await this.processes.self(), await this.processes.look(owner.pid));
      if (verdict !== 'unknown') return verdict === 'dead';
    }
    try {
      const { mtimeMs } = await this.fs.stat(folder);
      return this.clock.nowMs() - mtimeMs > ABANDONED_MS;
    } catch {
      return false;
    }
  }

  async #release(away: string, mark: string): Promise<void> {
    try {
      if (!(await this.#exists(join(this.path, mark)))) return;
      await this.fs.rename(this.path, away);
      await this.fs.rmdir(join(away, mark));
      await this.fs.rmdir(away);
    } catch {
      // Windows refuses while another process looks into the folder. The mark tells whether it is still ours.
      await this.fs.rm(join(this.path, mark), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
      await this.fs.rmdir(this.path).catch(() => undefined);
      await this.#remove(away);
    }
  }

  async #remove(folder: string): Promise<void> {
    await this.fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await this.fs.stat(path);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimer(PAUSE_MS.least + Math.random() * PAUSE_MS.spread, resolve);
    });
  }
}
