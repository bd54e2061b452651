/**
 * Pins in `tofu.json`, shared with other processes (file-store: lock, read again, change one key, replace).
 *
 * Sightings are kept in memory and written with the next change, at most every {@link SIGHTINGS_EVERY_MS} on their own,
 * and at the end. They are merged into the pin that is then on disk, so they can neither revive a removed pin nor undo
 * a replacement, and a failure to write them fails no request.
 */
import type { Clock } from '../../common/clock.port.js';
import type { Deadline } from '../../common/deadline.js';
import type { Failure } from '../../common/error-codes.js';
import { ok, type Result } from '../../common/result.js';
import { KeyedJsonFile, nodeFileSystem, WriteProbe, type Edit, type FileSystem } from '../../file-store/index.js';
import { parsePins, pinKey, serialisePin, type Endpoint, type PinRecord } from '../core/pin-record.js';
import { withSighting, type Sighting } from '../core/sighting.js';
import type { PinChange, TrustStore } from '../trust-store.port.js';

/** Least time between two writes of nothing but sightings, in milliseconds. */
export const SIGHTINGS_EVERY_MS = 60_000;

/** What the store depends on. */
export interface JsonFileTrustStoreOptions {
  /** `tofu.json`. */
  readonly path: string;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Told when sightings could not be written. */
  readonly warn: (failure: Failure) => void;
  /** Default: the real one. */
  readonly fs?: FileSystem;
}

export class JsonFileTrustStore implements TrustStore {
  readonly #file: KeyedJsonFile<PinRecord>;
  readonly #probe: WriteProbe;
  readonly #clock: Clock;
  readonly #warn: (failure: Failure) => void;
  /** By key; each is dropped once it is on disk, or tells nothing about the pin that is there. */
  readonly #sightings = new Map<string, Sighting>();
  #sightingsTriedMs: number;
  #flushing: Promise<void> = Promise.resolve();

  constructor({ path, clock, platform, warn, fs = nodeFileSystem }: JsonFileTrustStoreOptions) {
    this.#file = new KeyedJsonFile<PinRecord>({
      path,
      clock,
      platform,
      label: 'certificate trust store',
      setting: 'GEMINI_TOFU_STORAGE_PATH',
      codec: { parse: parsePins, serialise: serialisePin },
      fs,
    });
    this.#probe = new WriteProbe({ path, fs, clock });
    this.#clock = clock;
    this.#warn = warn;
    this.#sightingsTriedMs = clock.monotonicMs();
  }

  async readAll(): Promise<Result<ReadonlyMap<string, PinRecord>, Failure>> {
    const pins = await this.#file.read();
    if (!pins.ok || this.#sightings.size === 0) return pins;
    const seen = new Map(pins.value);
    for (const { key, entry } of this.#sightingEdits(pins.value)) if (entry !== null) seen.set(key, entry);
    return ok(seen);
  }

  async read(endpoint: Endpoint): Promise<Result<PinRecord | null, Failure>> {
    const pins = await this.#file.read();
    return pins.ok ? ok(this.#current(pins.value, pinKey(endpoint))) : pins;
  }

  async update<T>(
    endpoint: Endpoint,
    change: (current: PinRecord | null) => PinChange<T>,
    deadline?: Deadline,
  ): Promise<Result<T, Failure>> {
    const key = pinKey(endpoint);
    let written: readonly (readonly [string, Sighting])[] = [];
    const outcome = await this.#file.update<T>((pins) => {
      const { write, value } = change(this.#current(pins, key));
      if (write === 'keep') return { edits: [], value };
      written = [...this.#sightings];
      return { edits: [...this.#sightingEdits(pins), { key, entry: write }], value };
    }, deadline);
    if (outcome.ok) this.#forget(written);
    return outcome;
  }

  isWritable(): Promise<boolean> {
    return this.#probe.isWritable();
  }

  sighted(endpoint: Endpoint, sighting: Sighting): void {
    this.#sightings.set(pinKey(endpoint), sighting);
    if (this.#clock.monotonicMs() - this.#sightingsTriedMs >= SIGHTINGS_EVERY_MS) this.#flushing = this.#flush();
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#flush();
    await this.#file.idle();
  }

  async #flush(): Promise<void> {
    if (this.#sightings.size === 0) return;
    this.#sightingsTriedMs = this.#clock.monotonicMs();
    const written = [...this.#sightings];
    const outcome = await this.#file.update((pins) => ({ edits: this.#sightingEdits(pins), value: null }));
    if (outcome.ok) this.#forget(written);
    else this.#warn(outcome.error);
  }

  #current(pins: ReadonlyMap<string, PinRecord>, key: string): PinRecord | null {
    const pin = pins.get(key);
    const sighting = this.#sightings.get(key);
    if (pin === undefined) return null;
    return sighting === undefined ? pin : withSighting(pin, sighting);
  }

  /** What the sightings change in `pins`. */
  #sightingEdits(pins: ReadonlyMap<string, PinRecord>): readonly Edit<PinRecord>[] {
    const edits: Edit<PinRecord>[] = [];
    for (const [key, sighting] of this.#sightings) {
      const pin = pins.get(key);
      if (pin === undefined) continue;
      const entry = withSighting(pin, sighting);
      if (entry !== pin) edits.push({ key, entry });
    }
    return edits;
  }

  #forget(written: readonly (readonly [string, Sighting])[]): void {
    for (const [key, sighting] of written) if (this.#sightings.get(key) === sighting) this.#sightings.delete(key);
  }
}
