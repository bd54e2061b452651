/**
 * Fingerprints of certificates and keys: SHA-256 of the DER form, inside as 64 lower-case hexadecimal digits.
 *
 * People paste them in many spellings (`SHA256:AB:CD:...`), and older store files hold such spellings too.
 */
import { timingSafeEqual } from 'node:crypto';

/** `text` without outer spaces, `sha256:` prefix and colons, in lower case. It may still be no fingerprint. Idempotent. */
export function canonicalFingerprint(text: string): string {
  const lower = text.trim().toLowerCase();
  return (lower.startsWith(PREFIX) ? lower.slice(PREFIX.length) : lower).replaceAll(':', '').trim();
}

/** The fingerprint that `text` spells, canonical; null when it is not 64 hexadecimal digits. */
export function parseFingerprint(text: string): string | null {
  const canonical = canonicalFingerprint(text);
  return /^[0-9a-f]{64}$/.test(canonical) ? canonical : null;
}

/** Whether two canonical fingerprints are equal; the time taken tells nothing about where they differ. */
export function sameFingerprint(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A canonical fingerprint as results and the identity registry show it. */
export function prefixedFingerprint(canonical: string): string {
  return PREFIX + canonical;
}

const PREFIX = 'sha256:';
