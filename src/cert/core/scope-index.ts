/** Identities by where they belong, so that a request finds its own without a walk through all. */
import { scopeKey, type IdentityRecord } from './identity-record.js';
import { comparablePath, coversPath, type Scope } from './scope.js';

interface Indexed {
  readonly path: string;
  readonly record: IdentityRecord;
}

/** A look-up over one state of the registry. */
export class ScopeIndex {
  /** By `host:port`; the longest path first, because the narrowest identity wins. */
  readonly #byAuthority = new Map<string, Indexed[]>();

  constructor(records: Iterable<IdentityRecord>) {
    for (const record of records) {
      const authority = authorityOf(record);
      const group = this.#byAuthority.get(authority);
      const indexed = { path: comparablePath(record.path), record };
      if (group === undefined) this.#byAuthority.set(authority, [indexed]);
      else group.push(indexed);
    }
    for (const group of this.#byAuthority.values()) group.sort((a, b) => b.path.length - a.path.length);
  }

  /** The identities whose scope covers `scope`, the narrowest first. */
  covering(scope: Scope): readonly IdentityRecord[] {
    const group = this.#byAuthority.get(authorityOf(scope));
    if (group === undefined) return [];
    const path = comparablePath(scope.path);
    return group.filter((indexed) => coversPath(indexed.path, path)).map(({ record }) => record);
  }

  /** The identities below `scope`, itself left out: within it they are presented instead. */
  within(scope: Scope): readonly IdentityRecord[] {
    const group = this.#byAuthority.get(authorityOf(scope)) ?? [];
    const path = comparablePath(scope.path);
    return group
      .filter((indexed) => indexed.path !== path && coversPath(path, indexed.path))
      .map(({ record }) => record);
  }
}

function authorityOf({ host, port }: Scope): string {
  return scopeKey({ host, port, path: '' });
}
