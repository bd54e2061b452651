/**
 * Tokens of an authorisation server. What was found out about a token is kept by its hash until it expires, so that a signature is
 * checked once and not with every request; the tokens themselves are not kept. All verdicts go when the issuer changes its keys,
 * since one of them may have been withdrawn.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../common/clock.port.js';
import { LruTtlCache } from '../common/lru-ttl-cache.js';
import type { Principal } from '../common/principal.js';
import { err, ok, type Result } from '../common/result.js';
import type { Authenticator } from './authenticator.port.js';
import { authRefusal, type AuthRefusal } from './core/auth-refusal.js';
import type { Credential } from './core/credentials.js';
import { principalOfClaims } from './core/token-claims.js';
import { IssuerKeys } from './issuer-keys.js';
import type { JwksSource } from './jwks-source.port.js';
import type { TokenCheck, TokenFault, VerifiedToken } from './token-check.port.js';

/** Tokens whose verdict is kept. */
export const MAX_VERDICTS = 10_000;

/** What was found out about a good token. */
interface Verdict {
  readonly principal: Principal;
  /** First moment at which it no longer holds, in milliseconds since the epoch. */
  readonly untilMs: number;
}

/** What it works with. */
export interface TokenAuthenticatorOptions<S> {
  readonly check: TokenCheck<S>;
  readonly source: JwksSource;
  /** Claim that names the tenant; null = one tenant for all. */
  readonly tenantClaim: string | null;
  readonly clock: Clock;
  /** Told why keys of the issuer could not be had. */
  readonly warn: (reason: string) => void;
}

/** See the file's header. */
export class TokenAuthenticator<S> implements Authenticator {
  readonly #options: TokenAuthenticatorOptions<S>;
  readonly #keys: IssuerKeys<S>;
  readonly #verdicts: LruTtlCache<Verdict>;

  constructor(options: TokenAuthenticatorOptions<S>) {
    const { check, source, clock, warn } = options;
    this.#options = options;
    this.#verdicts = new LruTtlCache({ maxEntries: MAX_VERDICTS, maxBytes: Infinity, clock });
    this.#keys = new IssuerKeys({
      source,
      clock,
      warn,
      read: (text) => check.readKeys(text),
      changed: () => this.#verdicts.clear(),
    });
  }

  /** Fetches the keys ahead of the first request. */
  async prepare(): Promise<void> {
    await this.#keys.current();
  }

  async authenticate({ text }: Credential): Promise<Result<Principal, AuthRefusal>> {
    const { clock, tenantClaim } = this.#options;
    // Also when there is a verdict: this is what notices that the keys are old.
    const keys = await this.#keys.current();
    if (keys === null) return err(NO_KEYS);
    const hash = createHash('sha256').update(text).digest('base64');
    const known = this.#verdicts.get(hash);
    if (known !== undefined && clock.nowMs() < known.untilMs) return ok(known.principal);

    const verified = await this.#verify(text, keys);
    if (!verified.ok) {
      return err(authRefusal('invalid', verified.error.kind === 'invalid' ? verified.error.message : UNKNOWN_KEY));
    }
    const principal = principalOfClaims(verified.value.claims, tenantClaim);
    if (!principal.ok) return err(authRefusal('invalid', principal.error));
    const { untilMs } = verified.value;
    // Keys may have changed meanwhile, and with them all that was found out.
    if (this.#keys.isCurrent(keys)) {
      this.#verdicts.set(hash, { principal: principal.value, untilMs }, 1, untilMs - clock.nowMs());
    }
    return ok(principal.value);
  }

  /** With the keys at hand, and once more with newer ones when the right one is not among them. */
  async #verify(token: string, keys: S): Promise<Result<VerifiedToken, TokenFault>> {
    const { check, clock } = this.#options;
    const verified = await check.verify(token, keys, clock.nowMs());
    if (verified.ok || verified.error.kind !== 'unknown-key') return verified;
    const newer = await this.#keys.newerThan(keys);
    return newer === null ? verified : check.verify(token, newer, clock.nowMs());
  }
}

const NO_KEYS = authRefusal('unavailable', 'Access tokens cannot be checked at the moment.');
const UNKNOWN_KEY = 'The access token is signed with a key that its issuer does not publish.';
