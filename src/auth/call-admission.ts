import type { Failure } from '../common/error-codes.js';
import { err, ok, type Result } from '../common/result.js';
import type { TenantLimits } from '../common/tenant-rules.js';
import type { LimitsOf } from './call-limits.js';
import { QUEUE_FULL, type CallSlots } from './call-slots.js';
import type { Quota, QuotaUse } from './quota.js';

/** A call that asks to be let in. */
export interface AdmissionRequest extends QuotaUse {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
}

type Admission = Result<() => void, Failure>;

/** What stands behind a {@link CallAdmission}. */
export interface AdmissionParts {
  /** Undefined = as many calls as come. */
  readonly slots: CallSlots | undefined;
  readonly limitsOf: LimitsOf;
  readonly quota: Quota;
  /** Is told of every call that is not let in. */
  readonly onRefused: (failure: Failure) => void;
}

/**
 * Lets calls in: within the limits of their caller, and as long as the server has room. A server without room refuses before it
 * counts, so that nobody pays for a call that did not run.
 */
export class CallAdmission {
  constructor(private readonly parts: AdmissionParts) {}

  /** Calls that run. 0 where nothing bounds them. */
  get inFlight(): number {
    return this.parts.slots?.inFlight ?? 0;
  }

  /** Calls that wait for one of those to end. */
  get queued(): number {
    return this.parts.slots?.queued ?? 0;
  }

  /** See {@link CallSlots.enter} and {@link Quota.begin} for the codes. */
  admit(call: AdmissionRequest): Admission | Promise<Admission> {
    const { slots, limitsOf } = this.parts;
    if (slots?.isFull) return this.#told(err(QUEUE_FULL));
    const limits = limitsOf(call.principal);
    return limits === null ? this.#enter(call.signal) : this.#withinLimits(call, limits);
  }

  async #withinLimits(call: AdmissionRequest, limits: TenantLimits): Promise<Admission> {
    const begun = await this.parts.quota.begin(call, limits);
    if (!begun.ok) return this.#told(begun);
    const entered = await this.#enter(call.signal);
    if (!entered.ok) {
      begun.value();
      return entered;
    }
    return ok(() => {
      entered.value();
      begun.value();
    });
  }

  #enter(signal: AbortSignal): Admission | Promise<Admission> {
    const entered = this.parts.slots?.enter(signal) ?? FREE_PASS;
    return entered instanceof Promise ? entered.then((result) => this.#told(result)) : this.#told(entered);
  }

  #told(result: Admission): Admission {
    if (!result.ok && result.error.facts.reason !== 'cancelled') this.parts.onRefused(result.error);
    return result;
  }
}

const FREE_PASS: Admission = ok(() => undefined);
