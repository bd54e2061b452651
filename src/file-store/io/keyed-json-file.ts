/**
 * A JSON object on disk whose members are entries, shared by several processes.
 *
 * The discipline of every change: take the lock, read the file again, change only the keys concerned, replace the file
 * atomically, let go. So nothing that another process wrote is lost or undone, and nothing is kept in memory that was
 * not written: a failed change leaves no trace. A file that cannot be understood is never overwritten.
 *
 * - Reading needs no lock, because files are only ever replaced. What was read is kept and served again while size,
 *   inode and time of the file stay the same; the time must lie {@link SETTLE_MS} back, since two changes within one
 *   tick of a file system's clock look alike.
 * - Changes that arrive while one is being written are taken together in the next round: one lock, one write for all.
 * - Another program that ignores the lock (gopher-mcp 0.10 beside us) can still lose a change made between our reading and
 *   our renaming, a few milliseconds.
 */
import type { BigIntStats } from 'node:fs';
import type { Clock } from '../../common/clock.port.js';
import type { Deadline } from '../../common/deadline.js';
import { fail, type Failure } from '../../common/error-codes.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { orDeadline } from '../../common/or-deadline.js';
import { err, ok, type Result } from '../../common/result.js';
import { asError } from '../../common/thrown.js';
import { isMissing, isSameState, nodeFileSystem, type FileSystem } from './file-system.js';
import { FolderLock, type HeldLock } from './folder-lock.js';
import { NodeProcessTable, type ProcessTable } from './process-table.js';
import { replaceFile, sweepTemporaries } from './replace-file.js';

/** Age at which a file's time tells it apart from all later content, in milliseconds; FAT counts in steps of 2 s. */
const SETTLE_MS = 2000;

/** How entries and JSON members turn into each other. */
export interface EntryCodec<E> {
  /** All entries of the file; null when it has a shape that cannot be trusted. */
  parse(members: JsonObject): ReadonlyMap<string, E> | null;
  serialise(key: string, entry: E): JsonObject;
}

/** Which file, and how failures name it. */
export interface KeyedJsonFileOptions<E> {
  readonly path: string;
  readonly codec: EntryCodec<E>;
  /** For messages, e.g. `certificate trust store`. */
  readonly label: string;
  /** The variable that names the place, for messages. */
  readonly setting: string;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Default: the real ones. */
  readonly fs?: FileSystem;
  readonly processes?: ProcessTable;
}

/** A new value for a key; null removes it. */
export interface Edit<E> {
  readonly key: string;
  readonly entry: E | null;
}

/** What a change decided: edits to write (none = nothing is written), and an answer for its caller. */
export interface Change<E, T> {
  readonly edits: readonly Edit<E>[];
  readonly value: T;
}

/** A change waiting for its round. */
interface Waiting<E> {
  readonly isGivenUp: () => boolean;
  /** Decides on the fresh entries; returns the edits and keeps the answer. */
  readonly decide: (entries: ReadonlyMap<string, E>) => readonly Edit<E>[];
  readonly settle: (failure: Failure | null) => void;
}

interface Snapshot<E> {
  readonly state: BigIntStats;
  /** Whether the file was old enough when it was read. */
  readonly settled: boolean;
  readonly content: Buffer;
  readonly entries: Result<ReadonlyMap<string, E>, Failure>;
}

/** All failures are CERTIFICATE_STORE_UNAVAILABLE, except that of a deadline which ends a wait. */
export class KeyedJsonFile<E> {
  readonly #fs: FileSystem;
  readonly #processes: ProcessTable;
  #snapshot: Snapshot<E> | null = null;
  #waiting: Waiting<E>[] = [];
  #round: Promise<void> | null = null;
  #swept = false;

  constructor(private readonly options: KeyedJsonFileOptions<E>) {
    this.#fs = options.fs ?? nodeFileSystem;
    this.#processes = options.processes ?? new NodeProcessTable();
  }

  /** The entries as they are on disk now; none when there is no file. The same map as long as the file is the same. */
  async read(): Promise<Result<ReadonlyMap<string, E>, Failure>> {
    try {
      const state = await this.#fs.stat(this.options.path, { bigint: true });
      const known = this.#snapshot;
      if (known?.settled === true && isSameState(known.state, state)) return known.entries;
      return await this.#load();
    } catch (cause) {
      return isMissing(cause) ? ok(NO_ENTRIES) : this.#unavailable('cannot be read', cause);
    }
  }

  /**
   * Changes the file.
   *
   * @param decide pure and synchronous; sees what is on disk under the lock
   * @param deadline ends the wait (not a write under way: the change may still be made then)
   */
  update<T>(
    decide: (entries: ReadonlyMap<string, E>) => Change<E, T>,
    deadline?: Deadline,
  ): Promise<Result<T, Failure>> {
    const whenDone = new Promise<Result<T, Failure>>((resolve, reject) => {
      let answer: { readonly value: T } | undefined;
      let fault: { readonly error: unknown } | undefined;
      this.#waiting.push({
        isGivenUp: () => deadline?.signal.aborted === true,
        decide: (entries) => {
          try {
            const change = decide(entries);
            answer = { value: change.value };
            return change.edits;
          } catch (error) {
            fault = { error };
            return [];
          }
        },
        settle: (failure) => {
          if (fault !== undefined) reject(asError(fault.error));
          else if (failure !== null) resolve(err(failure));
          else if (answer !== undefined) resolve(ok(answer.value));
          else resolve(this.#unavailable('was not reached in time'));
        },
      });
    });
    this.#round ??= this.#runRounds();
    return deadline === undefined ? whenDone : orDeadline(whenDone, deadline, `Writing the ${this.options.label}`);
  }

  /** Resolves when no change is waiting or being written. */
  async idle(): Promise<void> {
    await this.#round;
  }

  async #runRounds(): Promise<void> {
    // One turn later, so that the changes of one tick share the first round.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      this.#waiting = [];
      const failure = await this.#runRound(changes);
      for (const change of changes) change.settle(failure);
    }
    this.#round = null;
  }

  async #runRound(changes: readonly Waiting<E>[]): Promise<Failure | null> {
    const path = await this.#fs.realpath(this.options.path).catch(() => this.options.path);
    const lock = new FolderLock(`${path}.lock.d`, this.#fs, this.#processes, this.options.clock);
    const held = await lock.acquire();
    if (!held.ok) {
      return held.error.kind === 'busy'
        ? this.#unavailable('is being changed by another process and did not become free').error
        : this.#unavailable('cannot be written', held.error.cause).error;
    }
    try {
      if (!this.#swept) {
        this.#swept = true;
        await Promise.all([lock.sweep(), sweepTemporaries(this.#fs, path)]);
      }
      return await this.#changeUnderLock(path, held.value, changes);
    } catch (cause) {
      return this.#unavailable('cannot be written', cause).error;
    } finally {
      await held.value.release();
    }
  }

  async #changeUnderLock(path: string, lock: HeldLock, changes: readonly Waiting<E>[]): Promise<Failure | null> {
    const before = await this.read();
    if (!before.ok) return before.error;
    let after: Map<string, E> | null = null;
    for (const change of changes) {
      if (change.isGivenUp()) continue;
      for (const { key, entry } of change.decide(after ?? before.value)) {
        after ??= new Map(before.value);
        if (entry === null) after.delete(key);
        else after.set(key, entry);
      }
    }
    if (after === null) return null;
    const content = this.#serialise(after);
    const { clock, platform } = this.options;
    const state = await replaceFile({ fs: this.#fs, platform, clock }, path, content, () => lock.stillHeld());
    if (state === null) return this.#unavailable('was taken over by another process').error;
    this.#snapshot = { state, settled: false, content, entries: ok(after) };
    return null;
  }

  /** Reads the file whatever is known of it. Rejects with the system's error. */
  async #load(): Promise<Result<ReadonlyMap<string, E>, Failure>> {
    const handle = await this.#fs.open(this.options.path, 'r');
    try {
      const state = await handle.stat({ bigint: true });
      const content = await handle.readFile();
      const known = this.#snapshot;
      const entries = known?.content.equals(content) === true ? known.entries : this.#parse(content);
      const settled = this.options.clock.nowMs() - Number(state.mtimeMs) > SETTLE_MS;
      this.#snapshot = { state, settled, content, entries };
      return entries;
    } finally {
      await handle.close();
    }
  }

  #parse(content: Buffer): Result<ReadonlyMap<string, E>, Failure> {
    let members: unknown;
    try {
      members = JSON.parse(content.toString('utf8'));
    } catch (cause) {
      return this.#unavailable('is damaged: it is not JSON', cause);
    }
    const entries = isJsonObject(members) ? this.options.codec.parse(members) : null;
    return entries === null ? this.#unavailable('is damaged: it does not have the expected shape') : ok(entries);
  }

  /** Indented by two, everything beyond ASCII escaped: what gopher-mcp 0.10 writes, and readable under any locale. */
  #serialise(entries: ReadonlyMap<string, E>): Buffer {
    const { codec } = this.options;
    const members = Object.fromEntries(Array.from(entries, ([key, entry]) => [key, codec.serialise(key, entry)]));
    const text = JSON.stringify(members, null, 2);
    return Buffer.from(text.replaceAll(/[\u0080-\uffff]/g, escapeUnit), 'latin1');
  }

  #unavailable(state: string, cause?: unknown): { readonly ok: false; readonly error: Failure } {
    const { label, setting } = this.options;
    return fail(
      'CERTIFICATE_STORE_UNAVAILABLE',
      `The ${label} of this server ${state}.`,
      {
        next_step: `This is a local problem, retrying does not help: ask the operator to check the place that ${setting} names (by default the data directory).`,
      },
      cause,
    );
  }
}

const NO_ENTRIES: ReadonlyMap<string, never> = new Map<string, never>();

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
