import { failure, type Failure } from '../common/error-codes.js';
import type { Principal } from '../common/principal.js';
import { subjectKey, tenantKey } from './core/quota-keys.js';
import { QUOTA_WINDOW_SECONDS, type QuotaCounter } from './quota-counter.port.js';
import type { TenantQuotas } from './tenant-quotas.port.js';

/** What is asked for, and by whom. */
export interface QuotaUse {
  readonly principal: Principal;
  /** IP address of the client; undefined over stdio. */
  readonly address: string | undefined;
  /** Pages. */
  readonly units: number;
}

type Scope = 'subject' | 'tenant';

/** Keeps one caller, and all callers of one tenant, to what they may ask for in a minute. */
export class Quota {
  constructor(
    private readonly quotas: TenantQuotas,
    private readonly counter: QuotaCounter,
  ) {}

  /**
   * Counts a call; null when it is within its limits. The caller's own limit is looked at first: what is refused there costs the
   * others of its tenant nothing.
   *
   * QUOTA_EXCEEDED, reason `subject_quota` or `tenant_quota`, with the seconds after which the count starts anew. A call that asks for
   * more than its limit at once is refused without a count, since no wait would help it.
   */
  async spend({ principal, address, units }: QuotaUse): Promise<Failure | null> {
    if (units === 0) return null;
    const { subjectPerMinute, tenantPerMinute } = this.quotas.of(principal.tenant);
    return (
      (await this.#spend('subject', subjectKey(principal, address), units, subjectPerMinute)) ??
      (await this.#spend('tenant', tenantKey(principal), units, tenantPerMinute))
    );
  }

  async #spend(scope: Scope, key: string, units: number, limit: number | null): Promise<Failure | null> {
    if (limit === null) return null;
    if (units > limit) return tooMuchAtOnce(scope, units, limit);
    const { isWithin, resetInMs } = await this.counter.spend(key, units, limit);
    return isWithin ? null : usedUp(scope, limit, Math.max(1, Math.ceil(resetInMs / 1000)));
  }
}

const WHOSE: Readonly<Record<Scope, string>> = {
  subject: 'this caller may',
  tenant: 'all callers of this tenant together may',
};

function tooMuchAtOnce(scope: Scope, units: number, limit: number): Failure {
  const message = `The call asks for ${units} pages at once, more than the ${limit} that ${WHOSE[scope]} ask for in ${QUOTA_WINDOW_SECONDS} seconds.`;
  return failure('QUOTA_EXCEEDED', message, {
    reason: `${scope}_quota`,
    next_step: `Ask for at most ${limit} URLs in one call.`,
  });
}

function usedUp(scope: Scope, limit: number, seconds: number): Failure {
  const message = `The quota is used up: ${limit} pages are all that ${WHOSE[scope]} ask for in ${QUOTA_WINDOW_SECONDS} seconds.`;
  return failure('QUOTA_EXCEEDED', message, {
    reason: `${scope}_quota`,
    retry_after_seconds: seconds,
    next_step: `Wait ${seconds} seconds before the next call.`,
  });
}
