/**
 * Audit lines to a stream of the process. Lines of others may go the same way: each write is of whole lines, and no longer than what
 * the system keeps in one piece in a pipe, unless one line alone is.
 */
import { write } from 'node:fs';
import type { AuditSink } from '../audit-sink.port.js';
import { systemCode } from './audit-file.js';

/** PIPE_BUF of Linux; elsewhere it is less, and lines are shorter still. */
const PIECE_BYTES = 4096;

/** Time until a full pipe is tried again, in milliseconds. */
const AGAIN_AFTER_MS = 20;

const LINE_FEED = 0x0a;

/** Writes to an open file descriptor, which it leaves open. */
export class AuditStream implements AuditSink {
  constructor(private readonly descriptor: number) {}

  async append(bytes: Buffer): Promise<number> {
    const piece = bytes.subarray(0, pieceEnd(bytes));
    for (;;) {
      try {
        return await this.#write(piece);
      } catch (error) {
        if (systemCode(error) !== 'EAGAIN') throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      }
    }
  }

  note(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #write(piece: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.descriptor, piece, (error, written) => {
        if (error) reject(error);
        else resolve(written);
      });
    });
  }
}

function pieceEnd(bytes: Buffer): number {
  if (bytes.length <= PIECE_BYTES) return bytes.length;
  const last = bytes.lastIndexOf(LINE_FEED, PIECE_BYTES - 1);
  return (last === -1 ? bytes.indexOf(LINE_FEED) : last) + 1;
}
