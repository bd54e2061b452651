/**
 * Lines to a file descriptor, synchronously: a record that was written before a crash is there after it. A reader that is gone or
 * does not keep up costs records, never the server.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { err, ok, type Result } from '../../common/result.js';

/** Takes whole lines. */
export interface LineWriter {
  /** `line` ends with a line feed. Never throws. */
  write(line: string): void;
}

/** File descriptor of stderr. */
export const STDERR = 2;

/** Writes to an open file descriptor. */
export class DescriptorWriter implements LineWriter {
  /** @param onFailure called when a line was lost for another reason than a slow reader; at most once until a write succeeds */
  constructor(
    private readonly descriptor: number,
    private readonly onFailure: (error: unknown) => void = () => {},
  ) {}

  #failing = false;
  /** The reader did not keep up: until it does, a line gets one try. */
  #behind = false;
  /** The last line was cut off: the next one must not continue it. */
  #torn = false;

  write(line: string): void {
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    let written = 0;
    for (let attempts = this.#behind ? 1 : ATTEMPTS; attempts > 0 && written < bytes.length;) {
      try {
        written += writeSync(this.descriptor, bytes, written);
      } catch (error) {
        if (!isBusy(error)) {
          this.#torn ||= written > 0;
          this.#reportOnce(error);
          return;
        }
        attempts -= 1;
        if (attempts > 0) pause();
      }
    }
    this.#behind = written < bytes.length;
    this.#torn = this.#behind && (written > 0 || this.#torn);
    this.#failing = false;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #reportOnce(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.onFailure(error);
  }
}

/** Opens `path` for appending, creating the file but not its folder. Fails with the error code of the system, e.g. `ENOENT`. */
export function openForAppending(path: string): Result<number, string> {
  try {
    return ok(openSync(path, 'a'));
  } catch (error) {
    return err(errorCode(error));
  }
}

/** Up to this many tries a millisecond apart, for a non-blocking pipe that is full. */
const ATTEMPTS = 10;
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function pause(): void {
  Atomics.wait(SLEEP, 0, 0, 1);
}

function isBusy(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EAGAIN' || code === 'EINTR';
}

function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'UNKNOWN';
}
