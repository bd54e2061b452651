import { createHash } from 'node:crypto';

/** Enough to tell sessions apart. */
const DIGEST_LENGTH = 16;

/**
 * A session as records show it: the first digits of the SHA-256 of its id. Whoever knows the id itself can speak in the session, so it
 * stands in no record.
 */
export function sessionDigest(session: string): string {
  return createHash('sha256').update(session).digest('hex').slice(0, DIGEST_LENGTH);
}
