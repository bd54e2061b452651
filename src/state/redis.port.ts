/**
 * What the replicas of one deployment share, as the domains see it: commands and scripts that run in Redis, with two kinds of
 * patience, and messages between replicas.
 *
 * A domain chooses by what it does without an answer. What goes on alone for a while (pages, pacing, quotas) asks `quick`, which costs
 * next to nothing while Redis is in trouble. What must not (pins, identities) asks `patient` and fails closed.
 */
import type { Result } from '../common/result.js';
import type { RedisReply } from './core/replies.js';
import type { RedisTrouble } from './core/trouble.js';

/** What a command is made of. */
export type RedisArgument = string | Buffer;

/** A script that runs as one atomic step. All keys that it touches are given to it, and lie in one slot. */
export interface RedisScript {
  /** For people: `pacing reserve`. */
  readonly name: string;
  /** Lua, as Redis 6 and later run it. */
  readonly source: string;
}

/** Commands and scripts. None of them ever rejects. */
export interface RedisCalls {
  command(...parts: readonly RedisArgument[]): Promise<Result<RedisReply, RedisTrouble>>;
  /** Runs a script. Keys come from {@link Redis.key}. */
  run(
    script: RedisScript,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<Result<RedisReply, RedisTrouble>>;
}

/** How the connection does. */
export interface RedisVitals {
  /** Null while Redis answers as it should. */
  readonly trouble: RedisTrouble | null;
  /** Quick calls by how they ended, since the start; `skipped` were not even tried. */
  readonly calls: Readonly<Record<'ok' | 'skipped' | RedisTrouble, number>>;
}

/** See the file's header. */
export interface Redis {
  /** Waits {@link QUICK_MS} at most, and not at all while Redis is known to be in trouble. */
  readonly quick: RedisCalls;
  /** Waits {@link PATIENT_MS} at most, the time to connect again included. */
  readonly patient: RedisCalls;
  readonly vitals: RedisVitals;
  /**
   * A key of this deployment. All keys with the same `slot` lie on the same node of a cluster, so that one script may touch
   * several.
   *
   * @param kind what is kept under it: `page`
   * @param slot such as a host; any text
   * @param rest tells keys of one kind and slot apart; any text
   */
  key(kind: string, slot: string, rest?: string): string;
  /** Tells every replica that listens, this one included. Lost where Redis is in trouble. */
  publish(channel: string, message: RedisArgument): void;
  /**
   * Listens from now on, also after Redis was away. Messages sent meanwhile are lost.
   *
   * @returns stops listening
   */
  subscribe(channel: string, listener: (message: Buffer) => void): () => void;
  /** Ends the connection; calls after that find Redis away. */
  close(): void;
}

/** Longest wait of a quick call, in milliseconds. */
export const QUICK_MS = 40;

/** Longest wait of a patient call, in milliseconds. */
export const PATIENT_MS = 1000;

/** Injection token of {@link Redis}, which is null where no Redis is configured. */
export const Redis = Symbol('Redis');
