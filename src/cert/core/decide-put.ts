/** What happens to an identity that comes from another store. */
import { fileStem, scopeKey, type IdentityRecord } from './identity-record.js';

/**
 *   added       there was none for its scope, or its files were gone
 *   unchanged   that very identity is there
 *   replaced    another one was there, and had to give way
 *   differs     another one is there, and stays
 */
export type PutOutcome = 'added' | 'unchanged' | 'replaced' | 'differs';

/**
 * Decides.
 *
 * @param current what the registry has for the scope
 * @param isUsable whether the files of `current` are there
 */
export function decidePut(
  current: IdentityRecord | undefined,
  isUsable: boolean,
  record: IdentityRecord,
  mayReplace: boolean,
): PutOutcome {
  if (current === undefined) return 'added';
  if (current.fingerprint === record.fingerprint) return isUsable ? 'unchanged' : 'added';
  return mayReplace ? 'replaced' : 'differs';
}

/**
 * `record` with a key id that no other identity of `registry` has: its own where it can be kept.
 *
 * @param freshId 32 random hexadecimal digits
 */
export function withOwnKeyId(
  record: IdentityRecord,
  registry: ReadonlyMap<string, IdentityRecord>,
  freshId: string,
): IdentityRecord & { readonly keyId: string } {
  const { keyId } = record;
  if (keyId === null || fileStem(record) === null || isStemShared(record, registry))
    return { ...record, keyId: freshId };
  return { ...record, keyId };
}

/** Whether another identity of `registry` names the files that `identity` names: old entries may share them. */
export function isStemShared(identity: IdentityRecord, registry: ReadonlyMap<string, IdentityRecord>): boolean {
  const stem = fileStem(identity);
  const key = scopeKey(identity);
  for (const [other, record] of registry) if (other !== key && fileStem(record) === stem) return true;
  return false;
}
