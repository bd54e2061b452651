/**
 * Client identities: found for every Gemini request, listed, made and removed by the identity tools.
 *
 * Each call names the tenant that it is for; of another tenant's identities nothing is presented, listed, changed or told.
 *
 * A fetch only ever reads: a capsule that asks for a certificate never gets one made for it. Changes come as plans, so
 * that the tool can ask a person between check and write, and are checked again at the moment of writing.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import type { Failure } from '../common/error-codes.js';
import { parseFingerprint, prefixedFingerprint } from '../common/fingerprint.js';
import { normalizeHost } from '../common/net/host.js';
import type { Plan } from '../common/plan.js';
import { ok, type Result } from '../common/result.js';
import * as say from './core/identity-messages.js';
import { isIdentityExpired, scopeKey, shownInstant, type IdentityRecord } from './core/identity-record.js';
import { ScopeIndex } from './core/scope-index.js';
import { scopeUrl, type Scope } from './core/scope.js';
import { IdentityMinter, type KeyPairPem, type KeyType } from './identity-minter.port.js';
import { IdentityOptions } from './identity-options.js';
import { IdentityStores, type IdentityStore } from './identity-store.port.js';

/** The identity that a request presents. */
export interface ClientIdentity extends KeyPairPem {
  /** `sha256:` and hex: names the identity, in cache keys too. */
  readonly fingerprint: string;
}

/** An identity in the list; a type alias, so that it is a JSON object. */
export type ClientCertEntry = {
  /** The scope, ready to be passed back. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** `sha256:` and hex. */
  readonly fingerprint: string;
  /** ISO-8601. */
  readonly not_before: string;
  readonly not_after: string;
  readonly expired: boolean;
  /** Whether its files are there. */
  readonly usable: boolean;
};

/** Result of the list tool, without request_info. */
export type ClientCertList = {
  readonly kind: 'client_cert_list';
  /** By host, port, path. */
  readonly entries: readonly ClientCertEntry[];
};

/** Result of the update tool, without request_info. */
export type ClientCertUpdate = {
  readonly kind: 'client_cert_update';
  readonly action: 'create' | 'remove';
  readonly host: string;
  readonly port: number;
  /** The scope acted on. */
  readonly path: string;
  /** `sha256:` and hex; null when nothing changed. */
  readonly fingerprint: string | null;
  /** ISO-8601; null unless an identity was created. */
  readonly expires: string | null;
  readonly changed: boolean;
  readonly message: string;
};

@Injectable()
export class IdentityService {
  /** Look-ups of registries as they were last read. */
  readonly #indexes = new WeakMap<ReadonlyMap<string, IdentityRecord>, ScopeIndex>();

  constructor(
    @Inject(IdentityStores) private readonly stores: IdentityStores,
    @Inject(IdentityMinter) private readonly minter: IdentityMinter,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(IdentityOptions) private readonly options: IdentityOptions,
  ) {}

  /**
   * What a request presents: the narrowest identity that covers it and has its files, expired or not; null when there is
   * none. A registry that cannot be read counts as none: most fetches need no identity, and the tools report it;
   * one that all replicas share does not (CERTIFICATE_STORE_UNAVAILABLE). TLS_ERROR when the files of an identity are there and
   * cannot be read.
   */
  async forRequest(tenant: string, { host, port, path }: Scope): Promise<Result<ClientIdentity | null, Failure>> {
    if (!this.options.enabled) return ok(null);
    const store = this.stores.of(tenant);
    const registry = await store.readAll();
    if (!registry.ok) return store.failsClosed === true ? registry : ok(null);
    for (const identity of this.#scopes(registry.value).covering({ host, port, path })) {
      const keyPair = await store.keyPair(identity);
      if (!keyPair.ok) return keyPair;
      if (keyPair.value !== null) return ok({ ...keyPair.value, fingerprint: identity.fingerprint });
    }
    return ok(null);
  }

  /** The identities, of one host or all. CLIENT_CERTS_DISABLED, CERTIFICATE_STORE_UNAVAILABLE, INVALID_REQUEST. */
  async list(tenant: string, host: string | null): Promise<Result<ClientCertList, Failure>> {
    if (!this.options.enabled) return say.disabledFailure();
    const store = this.stores.of(tenant);
    const registry = await store.readAll();
    if (!registry.ok) return registry;
    // A blank filter counts as none.
    const filter = host?.trim() ?? '';
    const wanted = normalizeHost(filter);
    if (wanted === null && filter !== '') {
      return say.argumentFailure(
        'The host is not a host name or address.',
        'Pass the host name alone, without scheme, port or path.',
      );
    }
    const nowMs = this.clock.nowMs();
    const found = [...registry.value.values()].filter((identity) => wanted === null || identity.host === wanted);
    const entries = await Promise.all(
      found.sort(byScope).map(async (identity) => entryOf(identity, nowMs, await store.isUsable(identity))),
    );
    return ok({ kind: 'client_cert_list', entries });
  }

  /**
   * Checks a creation. INVALID_REQUEST (a fingerprint was given), CLIENT_CERTS_DISABLED, CERTIFICATE_STORE_UNAVAILABLE,
   * CERTIFICATE_EXISTS.
   */
  async planCreate(
    tenant: string,
    scope: Scope,
    fingerprint: string | null,
    keyType: KeyType = 'rsa',
  ): Promise<Result<Plan<ClientCertUpdate>, Failure>> {
    if (fingerprint !== null) {
      return say.argumentFailure('A new identity has no fingerprint yet.', 'Leave the fingerprint out.');
    }
    if (!this.options.enabled) return say.disabledFailure();
    const store = this.stores.of(tenant);
    const registry = await store.readAll();
    if (!registry.ok) return registry;
    const [existing] = await this.#usable(store, this.#scopes(registry.value).covering(scope));
    if (existing !== undefined) return say.existsFailure(existing, this.clock.nowMs());
    return ok({
      kind: 'confirm',
      question: say.createQuestion(scope),
      apply: () => this.#create(store, scope, keyType),
    });
  }

  /**
   * Checks a removal of the narrowest identity that covers `scope`, files or not. INVALID_REQUEST (no fingerprint, or none
   * that can be), CLIENT_CERTS_DISABLED, CERTIFICATE_STORE_UNAVAILABLE, FINGERPRINT_MISMATCH.
   */
  async planRemove(
    tenant: string,
    scope: Scope,
    fingerprint: string | null,
  ): Promise<Result<Plan<ClientCertUpdate>, Failure>> {
    const digest = fingerprint === null ? null : parseFingerprint(fingerprint);
    if (digest === null) {
      return say.argumentFailure(
        'To remove an identity its fingerprint is needed: 64 hexadecimal digits, optionally with colons or "sha256:" in front.',
        'Pass the fingerprint that gemini_client_cert_list shows.',
      );
    }
    if (!this.options.enabled) return say.disabledFailure();
    const store = this.stores.of(tenant);
    const registry = await store.readAll();
    if (!registry.ok) return registry;
    const [identity] = this.#scopes(registry.value).covering(scope);
    if (identity === undefined) return ok({ kind: 'done', result: nothingRemoved(scope) });
    const wanted = prefixedFingerprint(digest);
    if (identity.fingerprint !== wanted) {
      return say.mismatchFailure(
        identity,
        [...registry.value.values()].find((other) => other.fingerprint === wanted),
      );
    }
    return ok({
      kind: 'confirm',
      question: say.removeQuestion(identity, scope),
      apply: () => this.#remove(store, identity),
    });
  }

  async #create(store: IdentityStore, scope: Scope, keyType: KeyType): Promise<Result<ClientCertUpdate, Failure>> {
    const minted = await this.minter.mint(keyType, this.clock.nowMs());
    const before = await store.readAll();
    if (!before.ok) return before;
    const covering = this.#scopes(before.value).covering(scope);
    const usable = new Set(await this.#usable(store, covering));
    const withoutFiles = new Set(covering.filter((identity) => !usable.has(identity)).map(identityName));
    const added = await store.add(scope, minted, (registry) => {
      // Whatever covers the scope now and was not seen without its files counts as usable.
      const [rival] = new ScopeIndex(registry.values())
        .covering(scope)
        .filter((identity) => !withoutFiles.has(identityName(identity)));
      return rival === undefined ? null : say.existsFailure(rival, this.clock.nowMs()).error;
    });
    if (!added.ok) return added;
    const identity = added.value;
    const narrower = await this.#usable(store, this.#scopes(before.value).within(scope));
    return ok({
      ...updateOf('create', identity, say.createdMessage(identity, narrower)),
      fingerprint: identity.fingerprint,
      expires: shownInstant(identity.notAfter),
      changed: true,
    });
  }

  async #remove(store: IdentityStore, identity: IdentityRecord): Promise<Result<ClientCertUpdate, Failure>> {
    const removed = await store.remove(identity);
    if (!removed.ok) return removed;
    if (removed.value === null) return say.overtakenFailure(identity);
    return ok({
      ...updateOf('remove', identity, say.removedMessage(identity, removed.value.keyRemains)),
      fingerprint: identity.fingerprint,
      changed: true,
    });
  }

  #scopes(registry: ReadonlyMap<string, IdentityRecord>): ScopeIndex {
    const known = this.#indexes.get(registry);
    if (known !== undefined) return known;
    const scopes = new ScopeIndex(registry.values());
    this.#indexes.set(registry, scopes);
    return scopes;
  }

  /** Those of `identities` whose files are there, in the same order. */
  async #usable(store: IdentityStore, identities: readonly IdentityRecord[]): Promise<readonly IdentityRecord[]> {
    const usable = await Promise.all(identities.map((identity) => store.isUsable(identity)));
    return identities.filter((_, index) => usable[index]);
  }
}

/** Tells one identity from a later one for the same scope. */
function identityName(identity: IdentityRecord): string {
  return `${identity.fingerprint} ${scopeKey(identity)}`;
}

function byScope(a: IdentityRecord, b: IdentityRecord): number {
  if (a.host !== b.host) return a.host < b.host ? -1 : 1;
  if (a.port !== b.port) return a.port - b.port;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function entryOf(identity: IdentityRecord, nowMs: number, usable: boolean): ClientCertEntry {
  const { host, port, path, fingerprint } = identity;
  return {
    url: scopeUrl(identity),
    host,
    port,
    path,
    fingerprint,
    not_before: shownInstant(identity.notBefore),
    not_after: shownInstant(identity.notAfter),
    expired: isIdentityExpired(identity, nowMs),
    usable,
  };
}

function updateOf(action: ClientCertUpdate['action'], { host, port, path }: Scope, message: string): ClientCertUpdate {
  return {
    kind: 'client_cert_update',
    action,
    host,
    port,
    path,
    fingerprint: null,
    expires: null,
    changed: false,
    message,
  };
}

function nothingRemoved(scope: Scope): ClientCertUpdate {
  return updateOf('remove', scope, say.nothingMessage(scope));
}
