/**
 * Identities on their way between stores: for each tenant a list of
 *
 *   { "record": as in registry.json, "certificate": PEM or null, "private_key": sealed, PEM or null }
 *
 * A private key travels sealed with the state key, which the store that takes it must have; in plain only when that is asked for.
 */
import type { Failure } from '../common/error-codes.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../common/json.js';
import { isTenantName } from '../common/principal.js';
import { err, ok, type Result } from '../common/result.js';
import type { PutOutcome } from './core/decide-put.js';
import { fileStem, parseIdentity, serialiseIdentity, type IdentityRecord } from './core/identity-record.js';
import { scopeUrl } from './core/scope.js';
import type { IdentityArchive, StoredIdentity } from './identity-archive.port.js';
import type { KeySealer } from './key-sealer.port.js';

/** An identity that is named to a person. */
export interface NamedIdentity {
  readonly tenant: string;
  /** Its scope. */
  readonly url: string;
}

/**
 * What became of identities; beside what `put` says:
 *
 *   incomplete   its certificate or its key is missing
 *   sealed       its key does not open with the state keys at hand
 */
export type IdentityImport = Readonly<Record<PutOutcome | 'incomplete' | 'sealed', readonly NamedIdentity[]>>;

/** Identities by tenant. */
export type TransferredIdentities = ReadonlyMap<string, readonly StoredIdentity[]>;

/**
 * The form of private keys in an export.
 *
 *   sealed   with the present state key
 *   plain    PEM
 */
export type ExportedKeys = 'sealed' | 'plain';

/** Everything that an archive has. CERTIFICATE_STORE_UNAVAILABLE. */
export async function readIdentities(archive: IdentityArchive): Promise<Result<TransferredIdentities, Failure>> {
  const tenants = await archive.tenants();
  if (!tenants.ok) return tenants;
  const all = new Map<string, readonly StoredIdentity[]>();
  for (const tenant of tenants.value) {
    const stored = await archive.read(tenant);
    if (!stored.ok) return stored;
    if (stored.value.length > 0) all.set(tenant, stored.value);
  }
  return ok(all);
}

/** The identities as JSON; fails with those whose keys do not open, or cannot be sealed because there is no state key. */
export function exportedIdentities(
  identities: TransferredIdentities,
  sealer: KeySealer,
  keys: ExportedKeys,
): Result<JsonObject, readonly NamedIdentity[]> {
  const refused: NamedIdentity[] = [];
  const members: Record<string, JsonValue> = {};
  for (const [tenant, stored] of identities) {
    members[tenant] = stored.map(({ record, certificatePem, storedKey }) => {
      const key = storedKey === null ? null : exportedKey(record, storedKey, sealer, keys);
      if (storedKey !== null && key === null) refused.push({ tenant, url: scopeUrl(record) });
      return { record: serialiseIdentity('', record), certificate: certificatePem, private_key: key };
    });
  }
  return refused.length > 0 ? err(refused) : ok(members);
}

/** The identities of an export; null when its shape is wrong. */
export function importedIdentities(members: JsonObject): TransferredIdentities | null {
  const all = new Map<string, readonly StoredIdentity[]>();
  for (const [tenant, list] of Object.entries(members)) {
    if (!isTenantName(tenant) || !Array.isArray(list)) return null;
    const stored: StoredIdentity[] = [];
    for (const item of list) {
      const identity = isJsonObject(item) ? importedIdentity(item) : null;
      if (identity === null) return null;
      stored.push(identity);
    }
    all.set(tenant, stored);
  }
  return all;
}

/**
 * Puts identities into an archive, each by itself: another one for the same scope stays unless `mayReplace`.
 * CERTIFICATE_STORE_UNAVAILABLE; what was done until then stays, and it can be done again.
 */
export async function importIdentities(
  archive: IdentityArchive,
  sealer: KeySealer,
  identities: TransferredIdentities,
  mayReplace: boolean,
): Promise<Result<IdentityImport, Failure>> {
  const outcomes: Record<keyof IdentityImport, NamedIdentity[]> = {
    added: [],
    unchanged: [],
    replaced: [],
    differs: [],
    incomplete: [],
    sealed: [],
  };
  for (const [tenant, stored] of identities) {
    for (const { record, certificatePem, storedKey } of stored) {
      const named = { tenant, url: scopeUrl(record) };
      if (certificatePem === null || storedKey === null) {
        outcomes.incomplete.push(named);
        continue;
      }
      const opened = sealer.open(fileStem(record) ?? '', storedKey);
      if (!opened.ok) {
        outcomes.sealed.push(named);
        continue;
      }
      const put = await archive.put(tenant, record, { certificatePem, privateKeyPem: opened.value }, mayReplace);
      if (!put.ok) return put;
      outcomes[put.value].push(named);
    }
  }
  return ok(outcomes);
}

/** Null when it cannot have that form. */
function exportedKey(record: IdentityRecord, stored: string, sealer: KeySealer, keys: ExportedKeys): string | null {
  const stem = fileStem(record) ?? '';
  const opened = sealer.open(stem, stored);
  if (!opened.ok) return null;
  if (keys === 'plain') return opened.value;
  return sealer.encrypts ? sealer.seal(stem, opened.value) : null;
}

function importedIdentity({ record, certificate, private_key: key }: JsonObject): StoredIdentity | null {
  const parsed = record !== undefined && isJsonObject(record) ? parseIdentity(record) : null;
  if (parsed === null || !isTextOrNull(certificate) || !isTextOrNull(key)) return null;
  return { record: parsed, certificatePem: certificate, storedKey: key };
}

function isTextOrNull(value: JsonValue | undefined): value is string | null {
  return value === null || typeof value === 'string';
}
