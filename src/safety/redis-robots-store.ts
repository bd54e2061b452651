/**
 * Robots policies and failed probes that all replicas know. What this process has is served from its memory for as long as it lives;
 * Redis is asked before a host would be.
 */
import { isJsonObject } from '../common/json.js';
import type { Clock } from '../common/clock.port.js';
import { FAILURE_REASONS } from '../common/error-codes.js';
import { bytesOf, type Redis } from '../state/index.js';
import type { RobotsAgents, RobotsRules } from './core/robots-rules.js';
import type { MemoryRobotsStore } from './memory-robots-store.js';
import type { RobotsPolicy, RobotsStore, RobotsTrouble } from './robots-store.port.js';

/** An expired policy goes on to apply while its host cannot be asked; after so long it may be forgotten. */
const KEPT_EXPIRED_MS = 86_400_000;

/** The rules of a longer policy stay in the process that read it. */
const MAX_POLICY_BYTES = 1_048_576;

/** Whose policies they are. */
export interface RedisRobotsOptions {
  readonly protocol: string;
  /** Rules are kept as far as they bind these. */
  readonly agents: RobotsAgents;
}

/** See the file's header. */
export class RedisRobotsStore implements RobotsStore {
  readonly #agents: string;

  constructor(
    private readonly redis: Redis,
    private readonly own: MemoryRobotsStore,
    private readonly clock: Clock,
    private readonly options: RedisRobotsOptions,
  ) {
    const { own: names, additional } = options.agents;
    this.#agents = JSON.stringify([FORMAT, options.protocol, names, additional]);
  }

  async get(key: string): Promise<RobotsPolicy | null> {
    const known = await this.own.get(key);
    if (known && this.clock.nowMs() < known.expiresAtMs) return known;
    const reply = await this.redis.quick.command('GET', this.redis.key('robots', key, this.#agents));
    const shared = reply.ok ? readPolicy(bytesOf(reply.value)) : undefined;
    if (!shared || (known && shared.expiresAtMs <= known.expiresAtMs)) return known;
    await this.own.set(key, shared);
    return shared;
  }

  async set(key: string, policy: RobotsPolicy): Promise<void> {
    await this.own.set(key, policy);
    const text = JSON.stringify(policy);
    const ttlMs = policy.expiresAtMs - this.clock.nowMs();
    if (text.length > MAX_POLICY_BYTES || ttlMs <= 0) return;
    const [policyKey, troubleKey] = [this.redis.key('robots', key, this.#agents), this.#troubleKey(key)];
    await this.redis.quick.command('SET', policyKey, text, 'PX', String(Math.ceil(ttlMs) + KEPT_EXPIRED_MS));
    void this.redis.quick.command('DEL', troubleKey);
  }

  async trouble(key: string): Promise<RobotsTrouble | null> {
    const reply = await this.redis.quick.command('GET', this.#troubleKey(key));
    const shared = reply.ok ? readTrouble(bytesOf(reply.value)) : undefined;
    const leftMs = (shared?.untilMs ?? 0) - this.clock.nowMs();
    return shared && leftMs > 0 ? { cause: shared.cause, reason: shared.reason, backoffMs: leftMs } : null;
  }

  async setTrouble(key: string, { cause, reason, backoffMs }: RobotsTrouble): Promise<void> {
    if (backoffMs <= 0) return;
    const text = JSON.stringify({ cause, reason, untilMs: this.clock.nowMs() + backoffMs });
    await this.redis.quick.command('SET', this.#troubleKey(key), text, 'PX', String(Math.ceil(backoffMs)));
  }

  #troubleKey(key: string): string {
    return this.redis.key('robots-failed', key, this.options.protocol);
  }
}

/** Of what is stored; another form has another number. */
const FORMAT = 1;

function readPolicy(bytes: Buffer | undefined): RobotsPolicy | undefined {
  const stored = parsed(bytes);
  const expiresAtMs = stored?.['expiresAtMs'];
  const rules: unknown = stored?.['rules'];
  return typeof expiresAtMs === 'number' && isRules(rules) ? { rules, expiresAtMs } : undefined;
}

function readTrouble(bytes: Buffer | undefined): (Omit<RobotsTrouble, 'backoffMs'> & { untilMs: number }) | undefined {
  const { cause, reason: given, untilMs } = parsed(bytes) ?? {};
  if (typeof cause !== 'string' || typeof untilMs !== 'number') return undefined;
  return { cause, reason: FAILURE_REASONS.find((reason) => reason === given), untilMs };
}

function parsed(bytes: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = bytes === undefined ? undefined : JSON.parse(bytes.toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRules(value: unknown): value is RobotsRules {
  return Array.isArray(value) && value.every((rule) => isJsonObject(rule) && Array.isArray(rule['parts']));
}
