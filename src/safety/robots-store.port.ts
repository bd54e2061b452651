import type { RobotsRules } from './core/robots-rules.js';

/** What is remembered of a host's robots.txt. Plain data. */
export interface RobotsPolicy {
  /** The rules that bind us; none when the host has no robots.txt. */
  readonly rules: RobotsRules;
  /** When it should be read again, milliseconds since the epoch. Until that succeeds, it goes on to apply. */
  readonly expiresAtMs: number;
}

/**
 * Keeps robots policies for one protocol: in this process, or shared by all replicas. An adapter may forget any of them,
 * which costs a probe, and keeps expired ones as long as it has room. It never rejects.
 */
export interface RobotsStore {
  /** @param key host and port, as a URL writes them */
  get(key: string): Promise<RobotsPolicy | null>;
  set(key: string, policy: RobotsPolicy): Promise<void>;
}

/** Injection token of {@link RobotsStore}. */
export const RobotsStore = Symbol('RobotsStore');
