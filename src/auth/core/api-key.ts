/**
 * The form of API keys: `gmcp_<id>_<secret>`. The id finds the record and may be shown; the secret is 256 random bits.
 *
 * Only the SHA-256 of a key is stored. A slow hash guards passwords, which people choose and others can guess; nobody guesses
 * 256 random bits, so a fast hash is as safe and lets every request be checked anew.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

/** How every API key begins; scanners for leaked secrets can look for it. */
export const API_KEY_START = 'gmcp_';

/** Bytes of randomness in an id. */
export const API_KEY_ID_BYTES = 6;

/** Bytes of randomness in a secret. */
export const API_KEY_SECRET_BYTES = 32;

/** A new key from randomness of {@link API_KEY_ID_BYTES} and {@link API_KEY_SECRET_BYTES}. */
export function composeApiKey(
  idBytes: Uint8Array,
  secretBytes: Uint8Array,
): { readonly id: string; readonly key: string } {
  const id = Buffer.from(idBytes).toString('hex');
  return { id, key: `${API_KEY_START}${id}_${Buffer.from(secretBytes).toString('base64url')}` };
}

/** The id within `key`; null when it does not have the form of a key. */
export function apiKeyId(key: string): string | null {
  return API_KEY.exec(key)?.[1] ?? null;
}

/** Whether `text` has the form of an id. */
export function isApiKeyId(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

/** What is stored of a key: its SHA-256, 64 hexadecimal digits. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a key with the hash `presented` is the one with the hash `stored`; takes the same time wherever they differ. */
export function isSameHash(presented: string, stored: string): boolean {
  return presented.length === stored.length && timingSafeEqual(Buffer.from(presented), Buffer.from(stored));
}

const API_KEY = /^gmcp_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/;
