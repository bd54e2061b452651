import type { CallObserver } from '../../../common/call-observer.port.js';
import { scopeChallenge } from '../../../auth/index.js';
import type { Caller } from '../../caller.js';
import type { ScopedRequest, ScopeGuard } from '../../scope-guard.js';
import type { Authentication } from './authentication.js';
import type { HttpRefusal } from './request-checks.js';

/**
 * Refuses requests whose caller lacks a scope for one of them, before any of them runs: with a challenge that says which scopes
 * would do, so that a client can get a credential for more and come again.
 */
export class ScopeCheck {
  /** @param observer is told who was refused */
  constructor(
    private readonly guard: ScopeGuard,
    private readonly authentication: Authentication,
    private readonly observer?: CallObserver,
  ) {}

  /** What to answer in place of all of `requests`; undefined when they may run. */
  check(requests: readonly ScopedRequest[], caller: Caller): HttpRefusal | undefined {
    if (!this.authentication.isOn) return undefined;
    const missing = this.guard.missing(requests, caller);
    if (missing.length === 0) return undefined;
    const refusal = this.authentication.refusal(scopeChallenge(...missing));
    const { principal, address, requestId } = caller;
    this.observer?.turnedAway?.({
      why: 'authorisation',
      reason: refusal.message,
      status: refusal.status,
      origin: { address, requestId },
      principal,
      ...askedFor(requests[0]),
    });
    return refusal;
  }
}

function askedFor(request: ScopedRequest | undefined): { readonly method?: string; readonly tool?: string } {
  if (request === undefined) return {};
  const { method, params } = request;
  const tool = params !== undefined && 'name' in params && typeof params.name === 'string' ? params.name : undefined;
  return tool === undefined || method !== 'tools/call' ? { method } : { method, tool };
}
