/**
 * {@link SharedEntries} in Redis. A resource is one hash: its windows, its body, and `d`, which says of which download they are. Each
 * host has a mark that is part of every stamp: to drop all of a host is to change the mark, however many pages it has. A mark that
 * Redis evicted drops them as well, so nothing that was dropped ever comes back.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../common/clock.port.js';
import { bytesOf, listOf, numberOf, textOf, type Redis, type RedisScript } from '../state/index.js';
import type { ResourceAddress } from './page-address.js';
import type { FlightState, SharedEntries, SharedFlight, SharedReading } from './shared-entries.port.js';

/** Bytes of one entry. A larger one would hold up everything else on the connection. */
export const MAX_ENTRY_BYTES = 2 * 1024 * 1024;

/** How long the right to download outlives its replica, in milliseconds. */
export const FLIGHT_LAPSES_MS = 5000;

/** In place of a pass: the download gave nothing to store. For whoever waits and looks now and then. */
const IN_VAIN = 'in vain';
const IN_VAIN_HOLDS_MS = 1000;

/** Of what is stored; another form has another number, and neither is read as the other. */
const FORMAT = 1;

/** See the file's header. */
export class RedisSharedEntries implements SharedEntries {
  readonly #kind: string;

  /** @param protocol entries of different protocols are kept apart */
  constructor(
    private readonly redis: Redis,
    private readonly clock: Clock,
    protocol: string,
  ) {
    this.#kind = `${protocol}.${FORMAT}`;
  }

  async read(at: ResourceAddress, field: string, stamp: string): Promise<SharedReading> {
    const reply = await this.redis.quick.run(READ, this.#keys(at), [field, stamp]);
    if (!reply.ok) return { kind: 'unknown' };
    if (reply.value === 1) return { kind: 'same' };
    const [bytes, found, ttl] = listOf(reply.value) ?? [];
    const [body, newStamp, ttlMs] = [bytesOf(bytes), textOf(found), numberOf(ttl)];
    if (body === undefined || newStamp === undefined || ttlMs === undefined) return { kind: 'absent' };
    return { kind: 'entry', bytes: body, stamp: newStamp, ttlMs };
  }

  async write(
    at: ResourceAddress,
    field: string,
    { bytes, fetchedAtMs, ttlMs }: { readonly bytes: Buffer; readonly fetchedAtMs: number; readonly ttlMs: number },
  ): Promise<string> {
    const lifetimeMs = Math.floor(ttlMs);
    if (bytes.length > MAX_ENTRY_BYTES || lifetimeMs <= 0) return '';
    const args = [field, bytes, String(fetchedAtMs), String(lifetimeMs), randomUUID()];
    const reply = await this.redis.quick.run(WRITE, this.#keys(at), args);
    return (reply.ok ? textOf(reply.value) : undefined) ?? '';
  }

  async dropResource(at: ResourceAddress): Promise<void> {
    const [entries] = this.#keys(at);
    await this.redis.quick.command('UNLINK', entries);
  }

  async dropHost(host: string): Promise<void> {
    // A changed pin has to be heard of, and its caller does not wait for this.
    await this.redis.patient.command('UNLINK', this.#hostKey(host));
  }

  async takeOff(at: ResourceAddress): Promise<SharedFlight | 'taken' | 'unknown'> {
    const key = this.#flightKey(at);
    const pass = randomUUID();
    const reply = await this.redis.quick.command('SET', key, pass, 'NX', 'PX', String(FLIGHT_LAPSES_MS));
    if (!reply.ok) return 'unknown';
    if (reply.value === null) return 'taken';
    return new RedisFlight(this.redis, this.clock, key, pass);
  }

  async flightState(at: ResourceAddress): Promise<FlightState> {
    const reply = await this.redis.quick.command('GET', this.#flightKey(at));
    const pass = reply.ok ? textOf(reply.value) : undefined;
    if (pass === undefined) return 'over';
    return pass === IN_VAIN ? 'in_vain' : 'flying';
  }

  /** All three lie on one node. */
  #keys({ host, resource }: ResourceAddress): [entries: string, host: string] {
    return [this.redis.key(`page.${this.#kind}`, host, resource), this.#hostKey(host)];
  }

  #hostKey(host: string): string {
    return this.redis.key(`pages.${this.#kind}`, host);
  }

  #flightKey({ host, resource }: ResourceAddress): string {
    return this.redis.key(`flight.${this.#kind}`, host, resource);
  }
}

/** Keeps the right while the download runs. */
class RedisFlight implements SharedFlight {
  #cancelRenewal: (() => void) | undefined;
  #hasEnded = false;

  constructor(
    private readonly redis: Redis,
    private readonly clock: Clock,
    private readonly key: string,
    private readonly pass: string,
  ) {
    this.#renewLater();
  }

  landed(): void {
    this.#cancelRenewal?.();
  }

  end(isStored: boolean): void {
    this.landed();
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    void this.redis.quick.run(END, [this.key], [this.pass, isStored ? '' : IN_VAIN, String(IN_VAIN_HOLDS_MS)]);
  }

  #renewLater(): void {
    this.#cancelRenewal = this.clock.setTimer(FLIGHT_LAPSES_MS / 3, () => {
      void this.redis.quick.run(RENEW, [this.key], [this.pass, String(FLIGHT_LAPSES_MS)]);
      this.#renewLater();
    });
  }
}

const READ: RedisScript = {
  name: 'page read',
  source: `
  local mark = redis.call('GET', KEYS[2])
  if not mark then return false end
  local found = redis.call('HMGET', KEYS[1], 'd', ARGV[1])
  if not found[1] or string.sub(found[1], -#mark) ~= mark or not found[2] then return false end
  if found[1] == ARGV[2] then return 1 end
  return { found[2], found[1], redis.call('PTTL', KEYS[1]) }
`,
};

/** The mark lives a little longer than any page that was stored under it. */
const WRITE: RedisScript = {
  name: 'page write',
  source: `
  local field, bytes, download, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
  local mark = redis.call('GET', KEYS[2])
  if not mark then mark = ARGV[5] end
  if redis.call('PTTL', KEYS[2]) < ttl + 1000 then redis.call('SET', KEYS[2], mark, 'PX', ttl + 60000) end
  local stamp, held = download .. ' ' .. mark, redis.call('HGET', KEYS[1], 'd')
  if held ~= stamp then
    if held and string.sub(held, -#mark) == mark and tonumber(string.match(held, '^%S+')) > tonumber(download) then
      return false
    end
    redis.call('UNLINK', KEYS[1])
    redis.call('HSET', KEYS[1], 'd', stamp)
    redis.call('PEXPIRE', KEYS[1], ttl)
  end
  redis.call('HSET', KEYS[1], field, bytes)
  return stamp
`,
};

const RENEW: RedisScript = {
  name: 'flight renew',
  source: `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`,
};

const END: RedisScript = {
  name: 'flight end',
  source: `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1
`,
};
