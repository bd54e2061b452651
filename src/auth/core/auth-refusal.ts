/** Why a request is not served to whoever sent it, before a transport puts it in its own words. */
import type { Scope } from '../../common/principal.js';

/** See {@link AuthRefusal}. */
export type RefusalKind =
  /** No credential came. */
  | 'missing'
  /** What came is in the wrong place, or more than one. */
  | 'malformed'
  /** The credential is unknown, expired, revoked, or made for somebody else. */
  | 'invalid'
  /** The credential is good, and not enough. */
  | 'insufficient_scope'
  /** The credential is good, and no other of its owner would be enough. */
  | 'forbidden'
  /** It cannot be judged now: a local or passing fault. */
  | 'unavailable';

/** A refusal as a value. */
export interface AuthRefusal {
  readonly kind: RefusalKind;
  /** What is wrong, in printable ASCII without quotes and backslashes; nothing of the credential is in it. */
  readonly message: string;
  /** With `insufficient_scope`: what would be enough. */
  readonly scopes?: readonly Scope[];
}

/** A refusal. */
export function authRefusal(kind: Exclude<RefusalKind, 'insufficient_scope'>, message: string): AuthRefusal {
  return { kind, message };
}

/** The refusal that asks a client to come back with a token for more: step-up authorisation. */
export function scopeChallenge(...scopes: readonly Scope[]): AuthRefusal {
  return { kind: 'insufficient_scope', message: `This needs the scope ${scopes.join(' ')}.`, scopes };
}
