/** What happens to a pin that comes from another store. */
import { sameFingerprint } from '../../common/fingerprint.js';
import type { PinRecord } from './pin-record.js';

/**
 *   added       there was none
 *   unchanged   that very pin is there, and the other one knows nothing more
 *   merged      the same certificate is pinned; facts were added
 *   replaced    another certificate was pinned, and had to give way
 *   differs     another certificate is pinned, and stays
 */
export type MergeOutcome = 'added' | 'unchanged' | 'merged' | 'replaced' | 'differs';

/** What to write (null = nothing), and what that is. */
export interface Merge {
  readonly write: PinRecord | null;
  readonly outcome: MergeOutcome;
}

/** Decides. Of two pins of one certificate the longer span of time counts, and facts that `current` has are kept. */
export function mergePin(current: PinRecord | null, other: PinRecord, mayReplace: boolean): Merge {
  if (current === null) return { write: other, outcome: 'added' };
  if (!sameFingerprint(current.fingerprint, other.fingerprint)) {
    return mayReplace ? { write: other, outcome: 'replaced' } : { write: null, outcome: 'differs' };
  }
  const merged: PinRecord = {
    fingerprint: current.fingerprint,
    firstSeenSeconds: Math.min(current.firstSeenSeconds, other.firstSeenSeconds),
    lastSeenSeconds: Math.max(current.lastSeenSeconds, other.lastSeenSeconds),
    expiresSeconds: current.expiresSeconds ?? other.expiresSeconds,
    spki: current.spki ?? other.spki,
    extra: { ...other.extra, ...current.extra },
  };
  const isSame =
    merged.firstSeenSeconds === current.firstSeenSeconds &&
    merged.lastSeenSeconds === current.lastSeenSeconds &&
    merged.expiresSeconds === current.expiresSeconds &&
    merged.spki === current.spki &&
    Object.keys(merged.extra).length === Object.keys(current.extra).length;
  return isSame ? { write: null, outcome: 'unchanged' } : { write: merged, outcome: 'merged' };
}
