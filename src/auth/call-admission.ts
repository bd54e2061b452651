import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import { QUEUE_FULL, type CallSlots } from './call-slots.js';
import type { Quota, QuotaUse } from './quota.js';

/** A call that asks to be let in. */
export interface AdmissionRequest extends QuotaUse {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
}

type Admission = Result<() => void, Failure>;

/**
 * Lets calls in: within the quota of their caller, and as long as the server has room. A server without room refuses before it
 * counts, so that nobody pays for a call that did not run.
 */
export class CallAdmission {
  /**
   * @param slots undefined = as many calls as come
   * @param quota undefined = none
   * @param onRefused is told of every call that is not let in
   */
  constructor(
    private readonly slots: CallSlots | undefined,
    private readonly quota: Quota | undefined,
    private readonly onRefused: (failure: Failure) => void,
  ) {}

  /** See {@link CallSlots.enter} and {@link Quota.spend} for the codes. */
  admit(call: AdmissionRequest): Admission | Promise<Admission> {
    if (this.slots?.isFull) return this.#refused(QUEUE_FULL);
    if (this.quota && call.units > 0) return this.#withinQuota(call, this.quota);
    return this.#enter(call.signal);
  }

  async #withinQuota(call: AdmissionRequest, quota: Quota): Promise<Admission> {
    const refusal = await quota.spend(call);
    return refusal ? this.#refused(refusal) : this.#enter(call.signal);
  }

  #enter(signal: AbortSignal): Admission | Promise<Admission> {
    if (!this.slots) return FREE_PASS;
    const entered = this.slots.enter(signal);
    if (entered instanceof Promise) return entered.then((result) => this.#told(result));
    return this.#told(entered);
  }

  #told(result: Admission): Admission {
    return result.ok ? result : this.#refused(result.error);
  }

  #refused(error: Failure): Admission {
    if (error.facts.reason !== 'cancelled') this.onRefused(error);
    return { ok: false, error };
  }
}

const FREE_PASS: Admission = { ok: true, value: () => undefined };
