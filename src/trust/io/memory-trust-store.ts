/** Pins that live as long as the process: for tests, and for deployments that must not write. */
import { ok, type Result } from '../../common/result.js';
import type { Failure } from '../../common/error-codes.js';
import { pinKey, type Endpoint, type PinRecord } from '../core/pin-record.js';
import { withSighting, type Sighting } from '../core/sighting.js';
import type { PinChange, TrustStore } from '../trust-store.port.js';

export class MemoryTrustStore implements TrustStore {
  readonly #pins: Map<string, PinRecord>;

  constructor(pins: Iterable<readonly [string, PinRecord]> = []) {
    this.#pins = new Map(pins);
  }

  readAll(): Promise<Result<ReadonlyMap<string, PinRecord>, Failure>> {
    return Promise.resolve(ok(new Map(this.#pins)));
  }

  read(endpoint: Endpoint): Promise<Result<PinRecord | null, Failure>> {
    return Promise.resolve(ok(this.#pins.get(pinKey(endpoint)) ?? null));
  }

  update<T>(endpoint: Endpoint, change: (current: PinRecord | null) => PinChange<T>): Promise<Result<T, Failure>> {
    const key = pinKey(endpoint);
    const { write, value } = change(this.#pins.get(key) ?? null);
    if (write === null) this.#pins.delete(key);
    else if (write !== 'keep') this.#pins.set(key, write);
    return Promise.resolve(ok(value));
  }

  sighted(endpoint: Endpoint, sighting: Sighting): void {
    const key = pinKey(endpoint);
    const pin = this.#pins.get(key);
    if (pin !== undefined) this.#pins.set(key, withSighting(pin, sighting));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
