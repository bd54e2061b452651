/** JSON Web Tokens checked with jose: signature, algorithm, issuer, audience and times. */
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet } from 'jose';
import { isJsonObject } from '../../common/json.js';
import { err, ok, type Result } from '../../common/result.js';
import { asError } from '../../common/thrown.js';
import { isForeignType } from '../core/token-claims.js';
import type { TokenCheck, TokenFault, VerifiedToken } from '../token-check.port.js';

/** Keys that are looked at of one set. */
const MAX_KEYS = 100;

/** Keys to check with, as jose finds one among them. */
type KeySet = ReturnType<typeof createLocalJWKSet>;

/** What a token has to be. */
export interface TokenRules {
  readonly issuer: string;
  /** One of them is enough. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly clockToleranceSeconds: number;
}

/** See the file's header. */
export class JoseTokenCheck implements TokenCheck<KeySet> {
  constructor(private readonly rules: TokenRules) {}

  readKeys(text: string): KeySet | null {
    try {
      const set: unknown = JSON.parse(text);
      return isKeySet(set) ? createLocalJWKSet({ keys: set.keys.slice(0, MAX_KEYS) }) : null;
    } catch {
      return null;
    }
  }

  async verify(token: string, keys: KeySet, nowMs: number): Promise<Result<VerifiedToken, TokenFault>> {
    const { issuer, audiences, algorithms, clockToleranceSeconds } = this.rules;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience: [...audiences],
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(nowMs),
        requiredClaims: ['exp', 'sub'],
      });
      if (isForeignType(protectedHeader.typ)) return fault('This is no access token.');
      const untilMs = ((payload.exp ?? 0) + clockToleranceSeconds) * 1000;
      return ok({ claims: payload, untilMs });
    } catch (thrown) {
      return this.#faultOf(asError(thrown));
    }
  }

  #faultOf(error: Error): Result<VerifiedToken, TokenFault> {
    if (error instanceof errors.JWKSNoMatchingKey) return err({ kind: 'unknown-key' });
    if (error instanceof errors.JWTExpired) return fault('The access token has expired.');
    if (error instanceof errors.JWTClaimValidationFailed) {
      return fault(CLAIM_FAULTS[error.claim] ?? 'The access token lacks a claim that is needed here.');
    }
    if (error instanceof errors.JOSEAlgNotAllowed)
      return fault('The access token is signed in a way that is not allowed here.');
    return fault('The access token is not good here.');
  }
}

const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  aud: 'The access token is meant for another server.',
  iss: 'The access token comes from another issuer.',
  nbf: 'The access token is not valid yet.',
  exp: 'The access token says not when it expires.',
};

function fault(message: string): Result<VerifiedToken, TokenFault> {
  return err({ kind: 'invalid', message });
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isJsonObject(value) && Array.isArray(value['keys']) && value['keys'].every(isJsonObject);
}
