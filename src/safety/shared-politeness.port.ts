import type { RobotsAgents } from './core/robots-rules.js';
import type { PacingStore } from './pacing-store.port.js';
import type { RobotsStore } from './robots-store.port.js';

/** Makes the stores with which all replicas together are as polite as one process alone. */
export interface SharedPoliteness {
  pacing(protocol: string): PacingStore;
  /** @param agents rules are kept as far as they bind these */
  robots(protocol: string, agents: RobotsAgents): RobotsStore;
}

/** Injection token of {@link SharedPoliteness}, which is null where this process stands alone. */
export const SharedPoliteness = Symbol('SharedPoliteness');
