import type { ChainLink } from './core/chain.js';

/** Where audit lines end up. One call at a time. */
export interface AuditSink {
  /**
   * Appends the beginning of `bytes`, at least one byte. Rejects with the error of the system when nothing could be written.
   *
   * @returns how many bytes were written
   */
  append(bytes: Buffer): Promise<number>;
  /** Notes down where the chain stands, once its lines are written. Rejects with the error of the system. */
  note(link: ChainLink): Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}
