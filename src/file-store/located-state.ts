import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { StateLocations } from './core/state-locations.js';

/** Where the stores are on this machine, or why they have no place. */
export type LocatedState = Result<StateLocations, Failure>;

/** Injection token of {@link LocatedState}. */
export const LocatedState = Symbol('LocatedState');

/** Injection token of the platform that the stores' files follow, `process.platform`: renaming and modes differ on Windows. */
export const StatePlatform = Symbol('StatePlatform');
