import type { Failure } from '../common/error-codes.js';
import { err, ok, type Result } from '../common/result.js';
import type { IdentityStore, IdentityStores } from './identity-store.port.js';

/** Stands where there is no place for identities: none is presented, and every question gets the same failure. */
export class UnavailableIdentityStore implements IdentityStore {
  constructor(private readonly failure: Failure) {}

  readAll(): Promise<Result<never, Failure>> {
    return this.#failed();
  }

  isWritable(): Promise<boolean> {
    return Promise.resolve(false);
  }

  isUsable(): Promise<boolean> {
    return Promise.resolve(false);
  }

  keyPair(): Promise<Result<null, Failure>> {
    return Promise.resolve(ok(null));
  }

  add(): Promise<Result<never, Failure>> {
    return this.#failed();
  }

  remove(): Promise<Result<never, Failure>> {
    return this.#failed();
  }

  #failed(): Promise<Result<never, Failure>> {
    return Promise.resolve(err(this.failure));
  }
}

/** Stands where there is no place for anybody's identities. */
export class UnavailableIdentityStores implements IdentityStores {
  readonly all: UnavailableIdentityStore;

  constructor(failure: Failure) {
    this.all = new UnavailableIdentityStore(failure);
  }

  of(): IdentityStore {
    return this.all;
  }
}
