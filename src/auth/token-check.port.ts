import type { Result } from '../common/result.js';

/** What a token says, once it is proven. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** First moment at which it is no longer good, tolerance included, in milliseconds since the epoch. */
  readonly untilMs: number;
}

/** Why a token is not good. */
export type TokenFault =
  /** None of the keys is the one that it names. */
  { readonly kind: 'unknown-key' } | { readonly kind: 'invalid'; readonly message: string };

/** Checks tokens against the keys of their issuer. */
export interface TokenCheck<S> {
  /** A key set from its text; null when it is none. */
  readKeys(text: string): S | null;
  /** Never rejects. */
  verify(token: string, keys: S, nowMs: number): Promise<Result<VerifiedToken, TokenFault>>;
}
