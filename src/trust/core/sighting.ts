/**
 * What a connection with the pinned certificate adds to the pin: when it was last seen, and what the pin did not know yet.
 * Sightings are written later and together; one that is lost costs nothing.
 */
import type { PinRecord } from './pin-record.js';

/** A connection on which `fingerprint` was presented and matched. */
export interface Sighting {
  readonly fingerprint: string;
  readonly seenSeconds: number;
  readonly expiresSeconds: number;
  readonly spki: string | null;
}

/**
 * `pin` with a sighting merged in; `pin` itself when the sighting is of another certificate or tells nothing new. Facts that
 * the pin has are kept; only gaps are filled, and the last instant never goes back.
 */
export function withSighting(pin: PinRecord, sighting: Sighting): PinRecord {
  if (pin.fingerprint !== sighting.fingerprint) return pin;
  const lastSeenSeconds = Math.max(pin.lastSeenSeconds, sighting.seenSeconds);
  const expiresSeconds = pin.expiresSeconds ?? sighting.expiresSeconds;
  const spki = pin.spki ?? sighting.spki;
  if (lastSeenSeconds === pin.lastSeenSeconds && expiresSeconds === pin.expiresSeconds && spki === pin.spki) {
    return pin;
  }
  return { ...pin, lastSeenSeconds, expiresSeconds, spki };
}
