/**
 * Seals the private keys of all tenants with the present state key, or stores them in plain where there is none. Each key is replaced in
 * one step, and only after it was opened; what is done already is left as it is. So a run that ends in the middle is simply run again,
 * and servers that know both keys go on meanwhile.
 */
import type { Failure } from '../common/error-codes.js';
import { ok, type Result } from '../common/result.js';
import type { SealTrouble } from './core/seal-trouble.js';
import type { IdentityArchive } from './identity-archive.port.js';
import type { KeySealer } from './key-sealer.port.js';

/** A key that was left as it was. */
export interface LeftKey {
  readonly tenant: string;
  /** The file stem of its identity. */
  readonly stem: string;
  /** `changed`: somebody changed it at that moment. */
  readonly reason: SealTrouble | { readonly kind: 'changed' };
}

/** What was done. */
export interface RekeyReport {
  readonly rekeyed: number;
  /** Had the right form already. */
  readonly unchanged: number;
  readonly left: readonly LeftKey[];
}

/** See the file's header. CERTIFICATE_STORE_UNAVAILABLE; what was done until then stays. */
export async function rekeyIdentities(
  archive: IdentityArchive,
  sealer: KeySealer,
): Promise<Result<RekeyReport, Failure>> {
  const tenants = await archive.tenants();
  if (!tenants.ok) return tenants;
  let [rekeyed, unchanged] = [0, 0];
  const left: LeftKey[] = [];
  for (const tenant of tenants.value) {
    const keys = await archive.keys(tenant);
    if (!keys.ok) return keys;
    for (const [stem, stored] of keys.value) {
      const opened = sealer.open(stem, stored);
      if (!opened.ok) {
        left.push({ tenant, stem, reason: opened.error });
        continue;
      }
      if (sealer.isCurrent(stored)) {
        unchanged++;
        continue;
      }
      const replaced = await archive.replaceKey(tenant, stem, stored, sealer.seal(stem, opened.value));
      if (!replaced.ok) return replaced;
      if (replaced.value) rekeyed++;
      else left.push({ tenant, stem, reason: { kind: 'changed' } });
    }
  }
  return ok({ rekeyed, unchanged, left });
}
