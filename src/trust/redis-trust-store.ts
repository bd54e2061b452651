/**
 * Pins that all replicas share: one hash in Redis, a field for each endpoint, its value a pin in the form that `tofu.json` has.
 *
 * A change compares and sets in one script: it is written only while the pin that it was decided on is still there, else it is decided
 * again. So of any number of replicas that meet a capsule at once one pins it and the others find that pin. Sightings are kept in
 * memory and written like the file store does, each under the same comparison, so they can neither revive a removed pin nor undo a
 * replacement.
 *
 * Whatever Redis does not answer within a second is CERTIFICATE_STORE_UNAVAILABLE. A change whose answer is late may have been made;
 * the next look tells.
 */
import type { Clock } from '../common/clock.port.js';
import type { Deadline } from '../common/deadline.js';
import { fail, type Failure } from '../common/error-codes.js';
import { isJsonObject } from '../common/json.js';
import { orDeadline } from '../common/or-deadline.js';
import { ok, type Result } from '../common/result.js';
import { listOf, numberOf, textOf, type Redis, type RedisScript, type RedisTrouble } from '../state/index.js';
import { parsePin, pinKey, serialisePin, type Endpoint, type PinRecord } from './core/pin-record.js';
import { withSighting, type Sighting } from './core/sighting.js';
import type { PinChange, TrustStore } from './trust-store.port.js';

/** Least time between two writes of sightings, in milliseconds. */
export const SHARED_SIGHTINGS_EVERY_MS = 60_000;

/** Sightings in one script: Redis serves nobody else while one runs. */
const SIGHTINGS_AT_ONCE = 200;

/** Each lost round is somebody else's change to the same pin; so many in a row are no coincidence. */
const MAX_ROUNDS = 200;

/**
 * For each three arguments (field, value that must be there, new value; an empty value stands for none): 1 when the new value is in
 * place, 0 when the field had another one.
 */
const SWAP: RedisScript = {
  name: 'pins swap',
  source: `local swapped = {}
for i = 1, #ARGV, 3 do
  local current = redis.call('HGET', KEYS[1], ARGV[i]) or ''
  if current ~= ARGV[i + 1] then
    swapped[#swapped + 1] = 0
  else
    if ARGV[i + 2] == '' then redis.call('HDEL', KEYS[1], ARGV[i])
    else redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2]) end
    swapped[#swapped + 1] = 1
  end
end
return swapped`,
};

/** What the store depends on. */
export interface RedisTrustStoreOptions {
  readonly redis: Redis;
  readonly clock: Clock;
  /** Told when sightings could not be written. */
  readonly warn: (failure: Failure) => void;
}

/** A pin as it is stored: the text is what a change is compared with; empty = there is none. */
interface StoredPin {
  readonly text: string;
  readonly pin: PinRecord | null;
}

/** See the file's header. */
export class RedisTrustStore implements TrustStore {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #warn: (failure: Failure) => void;
  readonly #hash: string;
  /** By key; each is dropped once it is written, or tells nothing about the pin that is there. */
  readonly #sightings = new Map<string, Sighting>();
  #sightingsTriedMs: number;
  #flushing: Promise<void> = Promise.resolve();

  constructor({ redis, clock, warn }: RedisTrustStoreOptions) {
    this.#redis = redis;
    this.#clock = clock;
    this.#warn = warn;
    this.#hash = redis.key('pins', 'all');
    this.#sightingsTriedMs = clock.monotonicMs();
  }

  async readAll(): Promise<Result<ReadonlyMap<string, PinRecord>, Failure>> {
    const reply = await this.#redis.patient.command('HGETALL', this.#hash);
    if (!reply.ok) return unavailable(reply.error);
    const fields = listOf(reply.value);
    if (fields === undefined) return damaged();
    const pins = new Map<string, PinRecord>();
    for (let i = 0; i < fields.length; i += 2) {
      const key = textOf(fields[i]);
      const pin = parseStored(textOf(fields[i + 1]));
      if (key === undefined || pin === null) return damaged();
      pins.set(key, this.#seen(key, pin));
    }
    return ok(pins);
  }

  async read(endpoint: Endpoint): Promise<Result<PinRecord | null, Failure>> {
    const stored = await this.#load(pinKey(endpoint));
    return stored.ok ? ok(stored.value.pin) : stored;
  }

  update<T>(
    endpoint: Endpoint,
    change: (current: PinRecord | null) => PinChange<T>,
    deadline?: Deadline,
  ): Promise<Result<T, Failure>> {
    const isGivenUp = (): boolean => deadline?.signal.aborted === true;
    return orDeadline(this.#change(pinKey(endpoint), change, isGivenUp), deadline, 'Writing the pin');
  }

  /** The connection tries a write all the time. */
  isWritable(): Promise<boolean> {
    return Promise.resolve(this.#redis.vitals.trouble === null);
  }

  sighted(endpoint: Endpoint, sighting: Sighting): void {
    this.#sightings.set(pinKey(endpoint), sighting);
    if (this.#clock.monotonicMs() - this.#sightingsTriedMs >= SHARED_SIGHTINGS_EVERY_MS) this.#flushing = this.#flush();
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#flush();
  }

  async #change<T>(
    key: string,
    change: (current: PinRecord | null) => PinChange<T>,
    isGivenUp: () => boolean,
  ): Promise<Result<T, Failure>> {
    for (let round = 0; round < MAX_ROUNDS && !isGivenUp(); round++) {
      const stored = await this.#load(key);
      if (!stored.ok) return stored;
      const { write, value } = change(stored.value.pin);
      if (write === 'keep') return ok(value);
      const text = write === null ? '' : storedText(key, write);
      const swapped = await this.#redis.patient.run(SWAP, [this.#hash], [key, stored.value.text, text]);
      if (!swapped.ok) return unavailable(swapped.error);
      if (isSwapped(listOf(swapped.value)?.[0])) return ok(value);
    }
    return contended();
  }

  async #load(key: string): Promise<Result<StoredPin, Failure>> {
    const reply = await this.#redis.patient.command('HGET', this.#hash, key);
    if (!reply.ok) return unavailable(reply.error);
    const text = textOf(reply.value) ?? '';
    if (text === '') return ok({ text, pin: null });
    const pin = parseStored(text);
    return pin === null ? damaged() : ok({ text, pin: this.#seen(key, pin) });
  }

  #seen(key: string, pin: PinRecord): PinRecord {
    const sighting = this.#sightings.get(key);
    return sighting === undefined ? pin : withSighting(pin, sighting);
  }

  async #flush(): Promise<void> {
    this.#sightingsTriedMs = this.#clock.monotonicMs();
    const sightings = [...this.#sightings];
    for (let start = 0; start < sightings.length; start += SIGHTINGS_AT_ONCE) {
      const written = await this.#write(sightings.slice(start, start + SIGHTINGS_AT_ONCE));
      if (!written.ok) return this.#warn(written.error);
    }
  }

  /** Writes sightings of pins that are still there; one whose pin changes at this moment waits for the next time. */
  async #write(sightings: readonly (readonly [string, Sighting])[]): Promise<Result<null, Failure>> {
    const keys = sightings.map(([key]) => key);
    const reply = await this.#redis.patient.command('HMGET', this.#hash, ...keys);
    if (!reply.ok) return unavailable(reply.error);
    const texts = listOf(reply.value) ?? [];
    const changes: { readonly key: string; readonly sighting: Sighting; readonly swap: readonly string[] }[] = [];
    for (const [index, [key, sighting]] of sightings.entries()) {
      const text = textOf(texts[index]);
      const pin = parseStored(text);
      const seen = pin === null ? null : withSighting(pin, sighting);
      if (text === undefined || seen === null || seen === pin) this.#forget(key, sighting);
      else changes.push({ key, sighting, swap: [key, text, storedText(key, seen)] });
    }
    if (changes.length === 0) return ok(null);
    const swapped = await this.#redis.patient.run(
      SWAP,
      [this.#hash],
      changes.flatMap(({ swap }) => swap),
    );
    if (!swapped.ok) return unavailable(swapped.error);
    for (const [index, { key, sighting }] of changes.entries()) {
      if (isSwapped(listOf(swapped.value)?.[index])) this.#forget(key, sighting);
    }
    return ok(null);
  }

  #forget(key: string, sighting: Sighting): void {
    if (this.#sightings.get(key) === sighting) this.#sightings.delete(key);
  }
}

function storedText(key: string, pin: PinRecord): string {
  return JSON.stringify(serialisePin(key, pin));
}

/** Null when it is no pin. */
function parseStored(text: string | undefined): PinRecord | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? parsePin(value) : null;
  } catch {
    return null;
  }
}

function isSwapped(reply: Parameters<typeof numberOf>[0]): boolean {
  return numberOf(reply) === 1;
}

type Failed = { readonly ok: false; readonly error: Failure };

const CHECK_REDIS = 'ask the operator to check the Redis that GOPHER_MCP_REDIS_URL names.';

function unavailable(trouble: RedisTrouble): Failed {
  return fail(
    'CERTIFICATE_STORE_UNAVAILABLE',
    'The shared certificate trust store of this server cannot be reached.',
    { next_step: `Try again in a few seconds; if it keeps failing, ${CHECK_REDIS}` },
    trouble,
  );
}

function damaged(): Failed {
  return fail('CERTIFICATE_STORE_UNAVAILABLE', 'The shared certificate trust store of this server is damaged.', {
    next_step: `This is a local problem, retrying does not help: ${CHECK_REDIS}`,
  });
}

function contended(): Failed {
  return fail('CERTIFICATE_STORE_UNAVAILABLE', 'The pin is being changed by too many others at once.', {
    next_step: 'Try again in a few seconds.',
  });
}
