import type { Failure } from '../common/error-codes.js';
import { err, type Result } from '../common/result.js';
import type { TrustStore } from './trust-store.port.js';

/** Stands where there is no place for pins: every question gets the same failure, so that nothing is trusted. */
export class UnavailableTrustStore implements TrustStore {
  constructor(private readonly failure: Failure) {}

  readAll(): Promise<Result<never, Failure>> {
    return this.#failed();
  }

  read(): Promise<Result<never, Failure>> {
    return this.#failed();
  }

  update(): Promise<Result<never, Failure>> {
    return this.#failed();
  }

  isWritable(): Promise<boolean> {
    return Promise.resolve(false);
  }

  sighted(): void {
    // Nothing is remembered of what cannot be kept.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #failed(): Promise<Result<never, Failure>> {
    return Promise.resolve(err(this.failure));
  }
}
