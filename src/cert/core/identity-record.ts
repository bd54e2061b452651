/**
 * Identities, and the form in which `certs/registry.json` keeps them.
 *
 * The file is shared with gopher-mcp 0.10: an object whose keys are `<normalised host>:<port><path>` and whose values hold
 * `fingerprint` (`sha256:` and hex), `subject`, `issuer` (RFC 4514), `not_before`, `not_after` (ISO-8601), `host`, `port`,
 * `path`, `key_id`. Members that we do not know are kept as they are.
 */
import { parseFingerprint, prefixedFingerprint } from '../../common/fingerprint.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { normalizeHost } from '../../common/net/host.js';
import { isoInstant } from '../../common/request-info.js';
import type { Scope } from './scope.js';

/** What is known of an identity without its files. */
export interface IdentityRecord extends Scope {
  /** `sha256:` and 64 lower-case hexadecimal digits; a hand-written value that is no fingerprint is kept as it is. */
  readonly fingerprint: string;
  /** Distinguished names, RFC 4514. */
  readonly subject: string;
  readonly issuer: string;
  /** As the file has them. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** 32 hexadecimal digits that name the files; null in old entries, whose files are named after the subject. */
  readonly keyId: string | null;
  /** Members that we do not know. */
  readonly extra: JsonObject;
}

/** The facts of a new certificate. */
export interface CertificateFacts {
  /** SHA-256, canonical. */
  readonly fingerprint: string;
  /** Distinguished names, RFC 4514. */
  readonly subject: string;
  readonly issuer: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The record of a new identity. */
export function mintedRecord({ host, port, path }: Scope, minted: CertificateFacts, keyId: string): IdentityRecord {
  return {
    host,
    port,
    path,
    fingerprint: prefixedFingerprint(minted.fingerprint),
    subject: minted.subject,
    issuer: minted.issuer,
    notBefore: isoInstant(minted.notBeforeMs),
    notAfter: isoInstant(minted.notAfterMs),
    keyId,
    extra: {},
  };
}

/** The key of a scope. */
export function scopeKey({ host, port, path }: Scope): string {
  return `${host}:${port}${path}`;
}

/** All identities of a file, under keys in today's spelling of hosts. Null when anything in it has a wrong shape. */
export function parseIdentities(members: JsonObject): ReadonlyMap<string, IdentityRecord> | null {
  const identities = new Map<string, IdentityRecord>();
  for (const [key, value] of Object.entries(members)) {
    const record = isJsonObject(value) ? parseIdentity(value) : null;
    if (record === null) return null;
    const canonical = scopeKey(record);
    if (canonical === key || !identities.has(canonical)) identities.set(canonical, record);
  }
  return identities;
}

/** One identity; null when its shape is wrong. */
export function parseIdentity(value: JsonObject): IdentityRecord | null {
  const { fingerprint, subject, issuer, not_before, not_after, host, port, path, key_id, ...extra } = value;
  if (typeof host !== 'string' || typeof fingerprint !== 'string') return null;
  if (typeof subject !== 'string' || typeof issuer !== 'string') return null;
  if (typeof not_before !== 'string' || typeof not_after !== 'string') return null;
  if (port !== undefined && !isPort(port)) return null;
  if (path !== undefined && typeof path !== 'string') return null;
  if (key_id !== undefined && key_id !== null && typeof key_id !== 'string') return null;
  const digest = parseFingerprint(fingerprint);
  return {
    host: normalizeHost(host) ?? host,
    port: port ?? DEFAULT_PORT,
    path: path ?? '/',
    fingerprint: digest === null ? fingerprint : prefixedFingerprint(digest),
    subject,
    issuer,
    notBefore: not_before,
    notAfter: not_after,
    keyId: key_id ?? null,
    extra,
  };
}

/** An identity as the file holds it. */
export function serialiseIdentity(_key: string, identity: IdentityRecord): JsonObject {
  return {
    fingerprint: identity.fingerprint,
    subject: identity.subject,
    issuer: identity.issuer,
    not_before: identity.notBefore,
    not_after: identity.notAfter,
    host: identity.host,
    port: identity.port,
    path: identity.path,
    key_id: identity.keyId,
    ...identity.extra,
  };
}

/**
 * The common part of the names of an identity's two files, `<stem>.crt` and `<stem>.key`; null when the record names none that
 * may lie in the folder of identities.
 */
export function fileStem({ keyId, subject }: IdentityRecord): string | null {
  if (keyId !== null) return /^[0-9a-f]{32}$/.test(keyId) ? keyId : null;
  const name = commonName(subject);
  return name !== null && /^[^./\\\0][^/\\\0]{0,199}$/.test(name) ? name : null;
}

/** Whether the certificate had run out at `nowMs`; false when its end cannot be read. */
export function isIdentityExpired(identity: IdentityRecord, nowMs: number): boolean {
  const endMs = instantMs(identity.notAfter);
  return endMs !== null && endMs < nowMs;
}

/** An instant of the file as results show it; as it stands when it cannot be read. */
export function shownInstant(text: string): string {
  const ms = instantMs(text);
  return ms === null ? text : isoInstant(ms);
}

const DEFAULT_PORT = 1965;

/** ISO-8601; UTC when it names no offset. */
function instantMs(text: string): number | null {
  const ms = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** The value of the first CN of a distinguished name, RFC 4514 escapes of single characters undone. */
function commonName(subject: string): string | null {
  const [, escaped] = /(?:^|,)CN=((?:[^,\\]|\\.)*)/.exec(subject) ?? [];
  return escaped === undefined ? null : escaped.replaceAll(/\\(.)/g, '$1');
}

function isPort(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65535;
}
