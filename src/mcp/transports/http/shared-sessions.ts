/**
 * Sessions that every replica can serve. What a client declared at its handshake lies in Redis; a replica that meets a session for the
 * first time fetches it from there, and keeps it for the requests to come. Where a session ends or changes, the others are told.
 *
 * What belongs to a request that runs elsewhere (the answer to a question, a cancellation) is told to all, and taken by the one that
 * runs it. Questions are rare, and a message of which nobody knows does nothing.
 *
 * A session that is not found costs its client a new handshake, so these calls are patient.
 *
 * All sessions of one caller lie together: one hash of what was declared, one list by the time of the last use. So a caller finds its
 * own sessions and no others, and has at most as many as the setting allows, however many replicas there are.
 */
import { isJSONRPCNotification, isJSONRPCResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../common/json.js';
import type { Clock } from '../../../common/clock.port.js';
import type { Principal } from '../../../common/principal.js';
import { textOf, type Redis, type RedisScript } from '../../../state/index.js';
import { ownerKey, type SessionFacts } from './sessions.js';

/** Where replicas tell each other of sessions. */
const CHANNEL = 'sessions';

/** How long a session that is not known is looked for again: its handshake may just be on its way from another replica. */
const LOOK_AGAIN_MS = 50;

/** Who hears what other replicas tell. */
export interface SessionListener {
  /** A session ended, or is another one than it was: what is known of it no longer holds. */
  forget(id: string): void;
  /** A message of the session's client that the replica which got it has no request for. */
  take(id: string, message: JSONRPCMessage): void;
}

/** See the file's header. */
export class SharedSessions {
  readonly #redis: Redis;
  readonly #maxSessions: number;
  readonly #ttlMs: number;
  readonly #replica: string;
  readonly #clock: Clock;
  #stop: (() => void) | undefined;

  /** @param options.replica tells this process from all others */
  constructor(
    redis: Redis,
    options: { readonly maxSessions: number; readonly ttlMs: number; readonly replica: string; readonly clock: Clock },
  ) {
    this.#redis = redis;
    this.#maxSessions = options.maxSessions;
    this.#ttlMs = options.ttlMs;
    this.#replica = options.replica;
    this.#clock = options.clock;
  }

  /** Hears what the other replicas tell, from now on. */
  listen(listener: SessionListener): void {
    this.#stop = this.#redis.subscribe(CHANNEL, (bytes) => {
      const told = readNews(bytes);
      if (!told || told.from === this.#replica) return;
      if (told.message === undefined) listener.forget(told.id);
      else listener.take(told.id, told.message);
    });
  }

  close(): void {
    this.#stop?.();
  }

  /** Keeps what a session is, in place of what it was. */
  async keep(id: string, owner: Principal, facts: SessionFacts): Promise<void> {
    const args = [id, JSON.stringify(facts), String(this.#ttlMs), String(this.#maxSessions)];
    await this.#redis.patient.run(KEEP, this.#keys(owner), args);
  }

  /** Keeps what a session has become. Resolves when the other replicas have been told, or Redis cannot be asked. */
  async change(id: string, owner: Principal, facts: SessionFacts): Promise<void> {
    await this.keep(id, owner, facts);
    this.tellChanged(id);
    // News and commands go over one connection: when this is answered, the news are out.
    await this.touch(id, owner);
  }

  /** What a session is, whose time starts anew. Undefined when the caller has none of this id, or Redis cannot be asked. */
  async find(id: string, owner: Principal): Promise<SessionFacts | undefined> {
    const found = await this.touch(id, owner);
    if (found !== undefined || this.#redis.vitals.trouble !== null) return found;
    await new Promise<void>((resolve) => void this.#clock.setTimer(LOOK_AGAIN_MS, resolve));
    return this.touch(id, owner);
  }

  /** As {@link find}, for a session that is there. */
  async touch(id: string, owner: Principal): Promise<SessionFacts | undefined> {
    const reply = await this.#redis.patient.run(TOUCH, this.#keys(owner), [id, String(this.#ttlMs)]);
    return reply.ok ? readFacts(textOf(reply.value)) : undefined;
  }

  /** Whether there was one to end. */
  async end(id: string, owner: Principal): Promise<boolean> {
    const reply = await this.#redis.patient.run(END, this.#keys(owner), [id]);
    this.tellChanged(id);
    return reply.ok && reply.value === 1;
  }

  /** Makes the other replicas look at a session again. */
  tellChanged(id: string): void {
    this.#redis.publish(CHANNEL, JSON.stringify({ from: this.#replica, id }));
  }

  /** Hands a client's message to whichever replica has the request that it is about. */
  forward(id: string, message: JSONRPCMessage): void {
    this.#redis.publish(CHANNEL, JSON.stringify({ from: this.#replica, id, message }));
  }

  #keys(owner: Principal): [facts: string, uses: string] {
    const key = ownerKey(owner);
    return [this.#redis.key('sessions', key), this.#redis.key('session-uses', key)];
  }
}

interface News {
  readonly from: string;
  readonly id: string;
  readonly message: JSONRPCMessage | undefined;
}

function readNews(bytes: Buffer): News | undefined {
  const { from, id, message } = parsed(bytes.toString()) ?? {};
  if (typeof from !== 'string' || typeof id !== 'string') return undefined;
  if (message === undefined) return { from, id, message };
  return isJSONRPCNotification(message) || isJSONRPCResponse(message) ? { from, id, message } : undefined;
}

function readFacts(text: string | undefined): SessionFacts | undefined {
  const { capabilities, client, logLevel } = (text === undefined ? undefined : parsed(text)) ?? {};
  if (!isJsonObject(capabilities) || !isJsonObject(client)) return undefined;
  const { name, version } = client;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  return { capabilities, client: { ...client, name, version }, ...(isLevel(logLevel) && { logLevel }) };
}

function isLevel(value: unknown): value is NonNullable<SessionFacts['logLevel']> {
  return typeof value === 'string';
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const NOW = `
  local time = redis.call('TIME')
  local now = math.floor(time[1] * 1000 + time[2] / 1000)
`;

const KEEP: RedisScript = {
  name: 'session keep',
  source: `${NOW}
  local facts, uses, id, ttl, most = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
  redis.call('HSET', facts, id, ARGV[2])
  redis.call('ZADD', uses, now, id)
  local gone = redis.call('ZRANGEBYSCORE', uses, '-inf', now - ttl, 'LIMIT', 0, 1000)
  local over = redis.call('ZCARD', uses) - #gone - most
  if over > 0 then
    for _, oldest in ipairs(redis.call('ZRANGE', uses, #gone, #gone + over - 1)) do gone[#gone + 1] = oldest end
  end
  for _, lapsed in ipairs(gone) do
    redis.call('HDEL', facts, lapsed)
    redis.call('ZREM', uses, lapsed)
  end
  redis.call('PEXPIRE', facts, ttl)
  redis.call('PEXPIRE', uses, ttl)
  return 1
`,
};

const TOUCH: RedisScript = {
  name: 'session touch',
  source: `${NOW}
  local facts, uses, id, ttl = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
  local used = redis.call('ZSCORE', uses, id)
  if not used then return false end
  if tonumber(used) <= now - ttl then
    redis.call('HDEL', facts, id)
    redis.call('ZREM', uses, id)
    return false
  end
  redis.call('ZADD', uses, now, id)
  redis.call('PEXPIRE', facts, ttl)
  redis.call('PEXPIRE', uses, ttl)
  return redis.call('HGET', facts, id)
`,
};

const END: RedisScript = {
  name: 'session end',
  source: `
  redis.call('ZREM', KEYS[2], ARGV[1])
  return redis.call('HDEL', KEYS[1], ARGV[1])
`,
};
