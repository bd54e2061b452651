/** What the tools that change pins and identities share: asking first, and results with their echo. */
import { failure, type Failure } from '../../common/error-codes.js';
import type { JsonObject } from '../../common/json.js';
import type { Plan } from '../../common/plan.js';
import { payload } from '../../common/payload.js';
import type { RequestInfo } from '../../common/request-info.js';
import type { Result } from '../../common/result.js';
import { errorPayload } from '../../fetch/index.js';
import type { ToolCall, ToolOutcome } from '../tool.js';

/** A result that is made once, with the echo of its request. */
export function answered<T extends JsonObject & { readonly kind: string }>(
  result: Result<T, Failure>,
  info: RequestInfo,
): ToolOutcome {
  if (!result.ok) return { kind: 'single', payload: errorPayload(result.error, info) };
  return { kind: 'single', payload: payload(result.value, { request_info: { ...info } }) };
}

/**
 * Carries a plan out: at once when nothing would change or nobody can be asked, after a yes when a person can be.
 * USER_DECLINED when the answer is anything else.
 */
export async function carryOut<T extends JsonObject & { readonly kind: string }>(
  planned: Result<Plan<T>, Failure>,
  { consent }: ToolCall,
  info: RequestInfo,
): Promise<ToolOutcome> {
  if (!planned.ok) return answered(planned, info);
  const plan = planned.value;
  if (plan.kind === 'done') return answered({ ok: true, value: plan.result }, info);
  switch (consent) {
    case 'unasked':
      return { kind: 'question', message: plan.question };
    case 'refused':
      return answered({ ok: false, error: DECLINED }, info);
    case 'given':
    case 'unable':
      return answered(await plan.apply(), info);
  }
}

const DECLINED = failure('USER_DECLINED', 'The user did not agree to this change; nothing was changed.', {
  next_step: 'Accept the decision; do not ask again unless the user brings it up.',
});
