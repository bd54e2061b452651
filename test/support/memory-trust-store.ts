/** Pins in memory; passes the same port test as the store on disk. */
import { ok, type Result } from '../../src/common/result.js';
import type { Failure } from '../../src/common/error-codes.js';
import { pinKey, type Endpoint, type PinRecord } from '../../src/trust/core/pin-record.js';
import { withSighting, type Sighting } from '../../src/trust/core/sighting.js';
import type { PinChange, TrustStore } from '../../src/trust/trust-store.port.js';

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

  async update<T>(
    endpoint: Endpoint,
    change: (current: PinRecord | null) => PinChange<T>,
  ): Promise<Result<T, Failure>> {
    const key = pinKey(endpoint);
    const { write, value } = change(this.#pins.get(key) ?? null);
    if (write === null) this.#pins.delete(key);
    else if (write !== 'keep') this.#pins.set(key, write);
    return ok(value);
  }

  isWritable(): Promise<boolean> {
    return Promise.resolve(true);
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
