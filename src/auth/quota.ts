import { failure, type Failure } from '../common/error-codes.js';
import type { Principal } from '../common/principal.js';
import { err, ok, type Result } from '../common/result.js';
import type { CallLimits, TenantLimits } from '../common/tenant-rules.js';
import { subjectKey, tenantKey } from './core/quota-keys.js';
import { QUOTA_WINDOW_SECONDS, type QuotaCounter } from './quota-counter.port.js';

/** What is asked for, and by whom. */
export interface QuotaUse {
  readonly principal: Principal;
  /** IP address of the client; undefined over stdio. */
  readonly address: string | undefined;
  /** Pages. */
  readonly units: number;
}

/** Who a limit is for, and where its use is counted. */
interface Account {
  readonly scope: 'subject' | 'tenant';
  readonly key: string;
  readonly limits: CallLimits;
}

/** What a client is told to wait when too many calls of its own run, in seconds: it knows best when one of them ends. */
const RETRY_CONCURRENT_SECONDS = 1;

/**
 * Keeps one caller, and all callers of one tenant, to what they may ask for. A caller's own limit is looked at first: what is
 * refused there costs the others of its tenant nothing.
 */
export class Quota {
  readonly #running = new Map<string, number>();
  #counter: Promise<QuotaCounter> | undefined;

  /** @param openCounter made when something has to be counted for the first time */
  constructor(private readonly openCounter: () => Promise<QuotaCounter>) {}

  /**
   * Counts a call until the value is called; calls after the first do nothing.
   *
   * QUOTA_EXCEEDED, reason `subject_quota` or `tenant_quota`: too many calls at once, or too many pages in this minute, with the seconds
   * after which to come again. A call that asks for more than a minute's worth at once is not counted, since no wait would help it.
   */
  async begin(use: QuotaUse, limits: TenantLimits): Promise<Result<() => void, Failure>> {
    const accounts = accountsOf(use, limits);
    const crowded = accounts.find((account) => this.#isCrowded(account));
    if (crowded) return err(tooManyAtOnce(crowded));
    const end = this.#run(accounts);
    for (const account of accounts) {
      const refusal = await this.#spend(account, use.units);
      if (refusal === null) continue;
      end();
      return err(refusal);
    }
    return ok(end);
  }

  #isCrowded({ key, limits: { concurrent } }: Account): boolean {
    return concurrent !== null && (this.#running.get(key) ?? 0) >= concurrent;
  }

  #run(accounts: readonly Account[]): () => void {
    const keys = accounts.filter(({ limits }) => limits.concurrent !== null).map(({ key }) => key);
    for (const key of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const key of keys) {
        const left = (this.#running.get(key) ?? 1) - 1;
        if (left === 0) this.#running.delete(key);
        else this.#running.set(key, left);
      }
    };
  }

  async #spend(account: Account, units: number): Promise<Failure | null> {
    const { requestsPerMinute: limit } = account.limits;
    if (limit === null || units === 0) return null;
    if (units > limit) return tooManyPages(account, units, limit);
    this.#counter ??= this.openCounter();
    const { isWithin, resetInMs } = await (await this.#counter).spend(account.key, units, limit);
    return isWithin ? null : usedUp(account, limit, Math.max(1, Math.ceil(resetInMs / 1000)));
  }
}

function accountsOf({ principal, address }: QuotaUse, { subject, tenant }: TenantLimits): readonly Account[] {
  return [
    { scope: 'subject', key: subjectKey(principal, address), limits: subject },
    { scope: 'tenant', key: tenantKey(principal), limits: tenant },
  ];
}

const WHO = { subject: 'this caller', tenant: 'all callers of this tenant together' } as const;

function tooManyAtOnce({ scope, limits: { concurrent } }: Account): Failure {
  return failure('QUOTA_EXCEEDED', `${concurrent ?? 0} calls at the same time are all that ${WHO[scope]} may make.`, {
    reason: `${scope}_quota`,
    retry_after_seconds: RETRY_CONCURRENT_SECONDS,
    next_step: 'Wait until one of the calls that run has ended.',
  });
}

function tooManyPages({ scope }: Account, units: number, limit: number): Failure {
  const message = `The call asks for ${units} pages at once, more than the ${limit} that ${WHO[scope]} may ask for in ${QUOTA_WINDOW_SECONDS} seconds.`;
  return failure('QUOTA_EXCEEDED', message, {
    reason: `${scope}_quota`,
    next_step: `Ask for at most ${limit} URLs in one call.`,
  });
}

function usedUp({ scope }: Account, limit: number, seconds: number): Failure {
  const message = `The quota is used up: ${limit} pages in ${QUOTA_WINDOW_SECONDS} seconds are all that ${WHO[scope]} may ask for.`;
  return failure('QUOTA_EXCEEDED', message, {
    reason: `${scope}_quota`,
    retry_after_seconds: seconds,
    next_step: `Wait ${seconds} seconds before the next call.`,
  });
}
