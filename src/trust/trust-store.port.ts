import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { Endpoint, PinRecord } from './core/pin-record.js';
import type { Sighting } from './core/sighting.js';

/** What a change does to a pin: leave it, replace it by a record, or remove it (null). */
export type PinWrite = 'keep' | PinRecord | null;

/** What a change decided: the write, and an answer for its caller. */
export interface PinChange<T> {
  readonly write: PinWrite;
  readonly value: T;
}

/**
 * Where pins are kept, shared with other processes. All failures are CERTIFICATE_STORE_UNAVAILABLE, except that of a
 * deadline which ends a wait: what cannot be read or written is never trusted.
 */
export interface TrustStore {
  /** All pins as they are now, by key (`host:port`). */
  readAll(): Promise<Result<ReadonlyMap<string, PinRecord>, Failure>>;

  /** The pin of an endpoint as it is now; null when there is none. Cheap when nothing changed. */
  read(endpoint: Endpoint): Promise<Result<PinRecord | null, Failure>>;

  /**
   * Compare-and-set: `change` sees the current pin, and its write is made only while that pin is still the current one. It
   * must be pure, because a store may have to call it again. A write that fails leaves no trace.
   */
  update<T>(
    endpoint: Endpoint,
    change: (current: PinRecord | null) => PinChange<T>,
    deadline?: Deadline,
  ): Promise<Result<T, Failure>>;

  /** Whether a change could be written now; the answer may be some seconds old. Leaves no trace; never rejects. */
  isWritable(): Promise<boolean>;

  /** Remembers a sighting. It shows in reads at once and is written later; a pin that is gone stays gone. Never fails. */
  sighted(endpoint: Endpoint, sighting: Sighting): void;

  /** Writes what is remembered. Call it when the process ends; never rejects. */
  close(): Promise<void>;
}

/** Injection token of {@link TrustStore}. */
export const TrustStore = Symbol('TrustStore');
