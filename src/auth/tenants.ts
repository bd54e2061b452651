/**
 * The tenants of this deployment. Their file is looked at again while the server runs, at most once a second and only when somebody
 * calls: a change counts within that time. While it cannot be read or understood, what it last said still counts.
 */
import type { Clock } from '../common/clock.port.js';
import type { Principal } from '../common/principal.js';
import { err, ok, type Result } from '../common/result.js';
import { authRefusal, type AuthRefusal } from './core/auth-refusal.js';
import { parseTenants, type TenantProblem, type TenantTable, type TenantTerms } from './core/tenants-file.js';
import type { TenantsSource } from './tenants-source.port.js';

/** Time after which the file is looked at again, in milliseconds. */
export const TENANTS_LOOK_EVERY_MS = 1000;

/** What tenants are made from. */
export interface TenantsParts {
  readonly source: TenantsSource;
  readonly terms: TenantTerms;
  readonly clock: Clock;
  /** Told of a change that cannot be used, once for each. */
  readonly warn: (problems: readonly TenantProblem[]) => void;
}

/** See the file's header. */
export class Tenants {
  #lookedMs: number;
  #looking: Promise<void> | null = null;
  #refusedText: string | null = null;
  /** Principals with the rules of their tenants; only as long as these count. */
  #admitted = new WeakMap<Principal, Principal>();

  private constructor(
    private readonly parts: TenantsParts,
    private text: string,
    private table: TenantTable,
  ) {
    this.#lookedMs = parts.clock.monotonicMs();
  }

  /** Reads the tenants; fails with every mistake in them. */
  static async open(parts: TenantsParts): Promise<Result<Tenants, readonly TenantProblem[]>> {
    const text = await parts.source.read();
    if (!text.ok) return err([unreadable(text.error)]);
    const table = parseTenants(text.value, parts.terms);
    return table.ok ? ok(new Tenants(parts, text.value, table.value)) : table;
  }

  /**
   * The principal with the rules of its tenant, and no scope that these do not allow. Refuses with `forbidden` when its tenant is
   * not served.
   */
  async admit(principal: Principal): Promise<Result<Principal, AuthRefusal>> {
    if (this.parts.clock.monotonicMs() - this.#lookedMs >= TENANTS_LOOK_EVERY_MS) await this.#look();
    const known = this.#admitted.get(principal);
    if (known !== undefined) return ok(known);
    const rules = this.table.tenants.get(principal.tenant) ?? this.table.others;
    if (rules === null) return err(NOT_SERVED);
    const scopes = new Set([...principal.scopes].filter((scope) => rules.scopes.has(scope)));
    const admitted = { ...principal, scopes, rules };
    this.#admitted.set(principal, admitted);
    return ok(admitted);
  }

  #look(): Promise<void> {
    return (this.#looking ??= this.#read().finally(() => {
      this.#looking = null;
    }));
  }

  async #read(): Promise<void> {
    const { source, terms, clock } = this.parts;
    const text = await source.read();
    this.#lookedMs = clock.monotonicMs();
    if (text.ok && text.value === this.text) this.#refusedText = null;
    else if (!text.ok) this.#refused(text.error, [unreadable(text.error)]);
    else {
      const table = parseTenants(text.value, terms);
      if (!table.ok) this.#refused(text.value, table.error);
      else {
        this.text = text.value;
        this.table = table.value;
        this.#admitted = new WeakMap();
        this.#refusedText = null;
      }
    }
  }

  #refused(text: string, problems: readonly TenantProblem[]): void {
    if (text !== this.#refusedText) this.parts.warn(problems);
    this.#refusedText = text;
  }
}

const NOT_SERVED = authRefusal('forbidden', 'The tenant of this credential is not served here.');

function unreadable(reason: string): TenantProblem {
  return { field: '', requirement: `must name a file that can be read (${reason})` };
}
