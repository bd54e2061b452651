import type { FailureReason } from '../common/error-codes.js';
import type { RobotsRules } from './core/robots-rules.js';

/** What is remembered of a host's robots.txt. Plain data. */
export interface RobotsPolicy {
  /** The rules that bind us; none when the host has no robots.txt. */
  readonly rules: RobotsRules;
  /** When it should be read again, milliseconds since the epoch. Until that succeeds, it goes on to apply. */
  readonly expiresAtMs: number;
}

/** A probe that failed. */
export interface RobotsTrouble {
  readonly cause: string;
  readonly reason: FailureReason | undefined;
  /** How long from now on the host is not asked again, milliseconds. */
  readonly backoffMs: number;
}

/**
 * Keeps robots policies for one protocol: in this process, or shared by all replicas. An adapter may forget any of them,
 * which costs a probe, and keeps expired ones as long as it has room. It never rejects.
 */
export interface RobotsStore {
  /** @param key host and port, as a URL writes them */
  get(key: string): Promise<RobotsPolicy | null>;
  set(key: string, policy: RobotsPolicy): Promise<void>;
  /** A failed probe of another process that still holds. */
  trouble(key: string): Promise<RobotsTrouble | null>;
  /** Tells other processes of a failed probe, until a policy is set. */
  setTrouble(key: string, trouble: RobotsTrouble): Promise<void>;
}

/** Injection token of {@link RobotsStore}. */
export const RobotsStore = Symbol('RobotsStore');
