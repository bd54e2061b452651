/**
 * API keys from a store that is looked at again while the server runs, at most once a second: a key that is made or revoked counts
 * within that time, and a request costs no look at a disk. While the store cannot be read, the keys that it last gave still count.
 */
import type { Clock } from '../common/clock.port.js';
import type { Failure } from '../common/error-codes.js';
import type { Principal } from '../common/principal.js';
import { err, ok, type Result } from '../common/result.js';
import type { ApiKeyStore } from './api-key-store.port.js';
import type { Authenticator } from './authenticator.port.js';
import { apiKeyId, hashApiKey } from './core/api-key.js';
import { judgeApiKey, type ApiKeyRecord } from './core/api-key-record.js';
import { authRefusal, type AuthRefusal } from './core/auth-refusal.js';
import type { Credential } from './core/credentials.js';

/** Time after which the store is looked at again, in milliseconds. */
export const LOOK_EVERY_MS = 1000;

/** See the file's header. */
export class ApiKeyAuthenticator implements Authenticator {
  #keys: ReadonlyMap<string, ApiKeyRecord> | null = null;
  #lookedMs = -Infinity;
  #looking: Promise<void> | null = null;
  #isFailing = false;

  /** @param warn told once when the store can no longer be read */
  constructor(
    private readonly store: ApiKeyStore,
    private readonly clock: Clock,
    private readonly warn: (failure: Failure) => void,
  ) {}

  async authenticate({ text }: Credential): Promise<Result<Principal, AuthRefusal>> {
    const id = apiKeyId(text);
    if (id === null) return err(NOT_GOOD);
    if (this.clock.monotonicMs() - this.#lookedMs >= LOOK_EVERY_MS) await this.#look();
    if (this.#keys === null) return err(UNREADABLE);
    const principal = judgeApiKey(this.#keys.get(id), hashApiKey(text), this.clock.nowMs());
    return principal === null ? err(NOT_GOOD) : ok(principal);
  }

  #look(): Promise<void> {
    return (this.#looking ??= this.#read().finally(() => {
      this.#looking = null;
    }));
  }

  async #read(): Promise<void> {
    const read = await this.store.readAll();
    this.#lookedMs = this.clock.monotonicMs();
    if (read.ok) this.#keys = read.value;
    else if (!this.#isFailing) this.warn(read.error);
    this.#isFailing = !read.ok;
  }
}

/** One answer for all: what is unknown, wrong, expired or revoked is nobody's business. */
const NOT_GOOD = authRefusal('invalid', 'The API key is not good here.');
const UNREADABLE = authRefusal('unavailable', 'API keys cannot be checked at the moment.');
