import type { Failure } from '../common/error-codes.js';
import type { Principal } from '../common/principal.js';
import type { Result } from '../common/result.js';

/** One run of a tool, or one read of a page, that asks to be let in. */
export interface GatedCall {
  readonly principal: Principal;
  /** IP address of the client; undefined over stdio. */
  readonly address: string | undefined;
  /** Pages it asks for: what it counts against a quota. 0 for the second half of a call that was let in before. */
  readonly units: number;
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
}

/** Says that an admitted call has ended; more calls of it do nothing. */
export type Release = () => void;

/** Whether a call may run now. */
export type Admission = Result<Release, Failure>;

/**
 * Stands in front of every tool call and every read of a resource. Where nothing is limited there is none, and nobody waits
 * for it.
 */
export interface CallGate {
  /**
   * Lets a call in at once where it can, after a wait where it has to, or not at all.
   *
   * QUOTA_EXCEEDED, reason `subject_quota` or `tenant_quota`; OVERLOADED, reason `queue_full` or `queue_wait`; FETCH_ERROR, reason
   * `cancelled`, when the caller gave up while it waited.
   */
  admit(call: GatedCall): Admission | Promise<Admission>;
}
