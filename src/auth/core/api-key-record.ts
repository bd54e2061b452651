/** What is known of an API key, and how it stands in the file of keys. */
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { isTenantName, SCOPES, type Principal, type Scope } from '../../common/principal.js';
import { isApiKeyId, isSameHash } from './api-key.js';
import { isSubjectName, knownScopes } from './names.js';

/** See the file's header. Instants are milliseconds since the epoch. */
export interface ApiKeyRecord {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly Scope[];
  readonly createdMs: number;
  /** First moment at which it is no longer good; null = never. */
  readonly expiresMs: number | null;
  /** Since when it is not good; null = it was not revoked. */
  readonly revokedMs: number | null;
}

/** What a key is worth at a moment. */
export type ApiKeyState = 'good' | 'expired' | 'revoked';

/** Judges a record by itself. */
export function apiKeyState({ expiresMs, revokedMs }: ApiKeyRecord, nowMs: number): ApiKeyState {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && nowMs >= expiresMs ? 'expired' : 'good';
}

/**
 * Whom a presented key stands for; null unless it is the key of `record` and good. An unknown id (`record` undefined) takes as
 * long as a wrong secret.
 */
export function judgeApiKey(record: ApiKeyRecord | undefined, presentedHash: string, nowMs: number): Principal | null {
  const isKey = isSameHash(presentedHash, record?.hash ?? NO_HASH);
  if (record === undefined || !isKey || apiKeyState(record, nowMs) !== 'good') return null;
  return { tenant: record.tenant, subject: record.subject, scopes: new Set(record.scopes) };
}

/** All keys of a file, by id; null when one of them is not as it must be: half a file of keys is none. */
export function parseApiKeys(members: JsonObject): ReadonlyMap<string, ApiKeyRecord> | null {
  const keys = new Map<string, ApiKeyRecord>();
  for (const [id, member] of Object.entries(members)) {
    const record = isApiKeyId(id) && isJsonObject(member) ? parseRecord(member) : null;
    if (record === null) return null;
    keys.set(id, record);
  }
  return keys;
}

/** A record as it stands in the file. */
export function serialiseApiKey(_id: string, record: ApiKeyRecord): JsonObject {
  const { hash, tenant, subject, scopes, createdMs, expiresMs, revokedMs } = record;
  return {
    hash: HASH_START + hash,
    tenant,
    subject,
    scopes: [...scopes],
    created: isoTime(createdMs),
    expires: expiresMs === null ? null : isoTime(expiresMs),
    revoked: revokedMs === null ? null : isoTime(revokedMs),
  };
}

/** ISO 8601 in UTC, to the millisecond. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Says in the file how the hash was made. */
const HASH_START = 'sha256:';

/** The hash of no key. */
const NO_HASH = '0'.repeat(64);

function parseRecord(member: JsonObject): ApiKeyRecord | null {
  const { hash, tenant, subject, scopes, created, expires = null, revoked = null } = member;
  if (typeof hash !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(hash)) return null;
  if (typeof tenant !== 'string' || !isTenantName(tenant)) return null;
  if (typeof subject !== 'string' || !isSubjectName(subject)) return null;
  const words = scopeWords(scopes);
  const createdMs = instant(created);
  const expiresMs = expires === null ? null : instant(expires);
  const revokedMs = revoked === null ? null : instant(revoked);
  if (words === null || createdMs === null) return null;
  if ((expires !== null && expiresMs === null) || (revoked !== null && revokedMs === null)) return null;
  return {
    hash: hash.slice(HASH_START.length),
    tenant,
    subject,
    scopes: SCOPES.filter((scope) => knownScopes(words).has(scope)),
    createdMs,
    expiresMs,
    revokedMs,
  };
}

function scopeWords(scopes: unknown): readonly string[] | null {
  if (!Array.isArray(scopes)) return null;
  const words: string[] = [];
  for (const scope of scopes) {
    if (typeof scope !== 'string') return null;
    words.push(scope);
  }
  return words;
}

function instant(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
