/**
 * The identities of one tenant, shared by all replicas: two hashes in Redis on one node of a cluster.
 *
 *   identities:{tenant}       a field for each scope, its value a record in the form that `registry.json` has; and `@version`, a random
 *                             text that every change replaces
 *   identity-files:{tenant}   `<stem>.crt` and `<stem>.key` of each, the private key sealed (key-sealer)
 *
 * A change is one script that writes both, if the version is still the one that it was decided on; else it is decided again. So there
 * is never a registered identity without its files, nor a key without its identity. The version also tells that what was read before
 * still holds, and then nothing but the version is sent.
 *
 * Whatever Redis does not answer within a second is CERTIFICATE_STORE_UNAVAILABLE, for requests as well: without the registry nobody
 * knows whether one would go out under another identity, or none.
 */
import { randomBytes } from 'node:crypto';
import { fail, type Failure } from '../common/error-codes.js';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { err, ok, type Result } from '../common/result.js';
import { listOf, numberOf, textOf, type Redis, type RedisScript, type RedisTrouble } from '../state/index.js';
import { isStemShared } from './core/decide-put.js';
import { sealedFailure } from './core/identity-messages.js';
import {
  fileStem,
  mintedRecord,
  parseIdentities,
  scopeKey,
  serialiseIdentity,
  type IdentityRecord,
} from './core/identity-record.js';
import type { Scope } from './core/scope.js';
import type { KeyPairPem, MintedIdentity } from './identity-minter.port.js';
import type { IdentityStore, RemovedIdentity } from './identity-store.port.js';
import type { KeySealer } from './key-sealer.port.js';

/** No scope is called so: a scope holds a colon. */
const VERSION = '@version';

/** Each lost round is somebody else's change to the same tenant; so many in a row are no coincidence. */
const MAX_ROUNDS = 200;

/** Nothing when the version is ARGV[1], else all fields of the registry. */
const READ: RedisScript = {
  name: 'identities read',
  source: `if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], '${VERSION}') == ARGV[1] then return false end
return redis.call('HGETALL', KEYS[1])`,
};

/**
 * ARGV: the version that must be there, the new one, the number of registry fields, then fields and values of the registry, then those
 * of the files. An empty value removes its field. 1 when everything is written, 0 when the version is another one.
 */
const CHANGE: RedisScript = {
  name: 'identities change',
  source: `if (redis.call('HGET', KEYS[1], '${VERSION}') or '') ~= ARGV[1] then return 0 end
local function write(key, first, last)
  for i = first, last, 2 do
    if ARGV[i + 1] == '' then redis.call('HDEL', key, ARGV[i])
    else redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
  end
end
local last = 3 + 2 * tonumber(ARGV[3])
write(KEYS[2], last + 1, #ARGV)
write(KEYS[1], 4, last)
redis.call('HSET', KEYS[1], '${VERSION}', ARGV[2])
return 1`,
};

/** What the store depends on. */
export interface RedisIdentityStoreOptions {
  readonly redis: Redis;
  readonly tenant: string;
  readonly sealer: KeySealer;
  /** Called before the first identity is written, so that all tenants can be found. */
  readonly announce: () => Promise<Result<unknown, RedisTrouble>>;
}

/** Fields and their new values; an empty one removes the field. */
export interface IdentityEdits {
  readonly registry: readonly (readonly [string, string])[];
  readonly files: readonly (readonly [string, string])[];
}

interface Snapshot {
  /** Empty = there is no registry. */
  readonly version: string;
  readonly identities: ReadonlyMap<string, IdentityRecord>;
}

const EMPTY: Snapshot = { version: '', identities: new Map<string, IdentityRecord>() };

/** See the file's header. */
export class RedisIdentityStore implements IdentityStore {
  readonly failsClosed = true;
  readonly #redis: Redis;
  readonly #sealer: KeySealer;
  readonly #announce: RedisIdentityStoreOptions['announce'];
  readonly #keys: readonly [registry: string, files: string];
  #snapshot = EMPTY;

  constructor({ redis, tenant, sealer, announce }: RedisIdentityStoreOptions) {
    this.#redis = redis;
    this.#sealer = sealer;
    this.#announce = announce;
    this.#keys = identityKeys(redis, tenant);
  }

  async readAll(): Promise<Result<ReadonlyMap<string, IdentityRecord>, Failure>> {
    const read = await this.#read();
    return read.ok ? ok(read.value.identities) : read;
  }

  /** The connection tries a write all the time. */
  isWritable(): Promise<boolean> {
    return Promise.resolve(this.#redis.vitals.trouble === null);
  }

  /** What cannot be seen counts as being there: only an identity whose files are gone may be replaced unasked. */
  async isUsable(identity: IdentityRecord): Promise<boolean> {
    const files = await this.#files(identity);
    return !files.ok || files.value !== null;
  }

  async keyPair(identity: IdentityRecord): Promise<Result<KeyPairPem | null, Failure>> {
    const files = await this.#files(identity);
    if (!files.ok) return files;
    if (files.value === null) return ok(null);
    const { stem, certificatePem, storedKey } = files.value;
    const opened = this.#sealer.open(stem, storedKey);
    return opened.ok ? ok({ certificatePem, privateKeyPem: opened.value }) : sealedFailure(identity, opened.error);
  }

  async add(
    scope: Scope,
    minted: MintedIdentity,
    refuse: (registry: ReadonlyMap<string, IdentityRecord>) => Failure | null,
  ): Promise<Result<IdentityRecord, Failure>> {
    const keyId = randomBytes(16).toString('hex');
    const identity = mintedRecord(scope, minted, keyId);
    const files = { certificatePem: minted.certificatePem, storedKey: this.#sealer.seal(keyId, minted.privateKeyPem) };
    const added = await this.change<Failure | null>((registry) => {
      const refusal = refuse(registry);
      return refusal === null
        ? { edits: additionOf(identity, keyId, files, registry), value: null }
        : { edits: null, value: refusal };
    });
    if (!added.ok) return added;
    return added.value === null ? ok(identity) : err(added.value);
  }

  async remove(identity: IdentityRecord): Promise<Result<RemovedIdentity | null, Failure>> {
    const key = scopeKey(identity);
    return this.change<RemovedIdentity | null>((registry) => {
      const current = registry.get(key);
      if (current?.fingerprint !== identity.fingerprint || current.keyId !== identity.keyId) {
        return { edits: null, value: null };
      }
      const edits = { registry: [[key, '']] as const, files: removedFiles(identity, registry) };
      return { edits, value: { keyRemains: false } };
    });
  }

  /** Compare-and-set over everything that the tenant has. `decide` may be called again; edits of null write nothing. */
  async change<T>(
    decide: (registry: ReadonlyMap<string, IdentityRecord>) => {
      readonly edits: IdentityEdits | null;
      readonly value: T;
    },
  ): Promise<Result<T, Failure>> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const read = await this.#read();
      if (!read.ok) return read;
      const { edits, value } = decide(read.value.identities);
      if (edits === null) return ok(value);
      if (read.value.version === '') {
        const announced = await this.#announce();
        if (!announced.ok) return identitiesUnavailable(announced.error);
      }
      const version = randomBytes(12).toString('base64url');
      const written = await this.#redis.patient.run(CHANGE, this.#keys, [
        read.value.version,
        version,
        String(edits.registry.length),
        ...edits.registry.flat(),
        ...edits.files.flat(),
      ]);
      if (!written.ok) return identitiesUnavailable(written.error);
      if (numberOf(written.value) === 1) return ok(value);
    }
    return fail('CERTIFICATE_STORE_UNAVAILABLE', 'The identities are being changed by too many others at once.', {
      next_step: 'Try again in a few seconds.',
    });
  }

  async #read(): Promise<Result<Snapshot, Failure>> {
    const known = this.#snapshot;
    const reply = await this.#redis.patient.run(READ, [this.#keys[0]], [known.version]);
    if (!reply.ok) return identitiesUnavailable(reply.error);
    if (reply.value === null) return ok(known);
    const snapshot = parseSnapshot(listOf(reply.value)?.map(textOf) ?? []);
    if (snapshot === null) return identitiesDamaged();
    this.#snapshot = snapshot;
    return ok(snapshot);
  }

  async #files(identity: IdentityRecord): Promise<Result<IdentityFiles | null, Failure>> {
    const stem = fileStem(identity);
    if (stem === null) return ok(null);
    const reply = await this.#redis.patient.command('HMGET', this.#keys[1], `${stem}.crt`, `${stem}.key`);
    if (!reply.ok) return identitiesUnavailable(reply.error);
    const [certificatePem, storedKey] = listOf(reply.value)?.map(textOf) ?? [];
    if (certificatePem === undefined || storedKey === undefined) return ok(null);
    return ok({ stem, certificatePem, storedKey });
  }
}

/** What is stored beside a record. */
export interface IdentityFiles {
  readonly stem: string;
  readonly certificatePem: string;
  /** As {@link KeySealer.seal} gave it. */
  readonly storedKey: string;
}

/** The two keys of a tenant; they lie on one node. */
export function identityKeys(redis: Redis, tenant: string): readonly [registry: string, files: string] {
  return [redis.key('identities', tenant), redis.key('identity-files', tenant)];
}

/** What registers an identity, in place of the one that has its scope. */
export function additionOf(
  identity: IdentityRecord,
  stem: string,
  { certificatePem, storedKey }: Omit<IdentityFiles, 'stem'>,
  registry: ReadonlyMap<string, IdentityRecord>,
): IdentityEdits {
  const key = scopeKey(identity);
  const replaced = registry.get(key);
  return {
    registry: [[key, JSON.stringify(serialiseIdentity(key, identity))]],
    files: [
      ...(replaced === undefined ? [] : removedFiles(replaced, registry)),
      [`${stem}.crt`, certificatePem],
      [`${stem}.key`, storedKey],
    ],
  };
}

/** What removes the files of an identity, unless another one names the same: old entries may share them. */
function removedFiles(
  identity: IdentityRecord,
  registry: ReadonlyMap<string, IdentityRecord>,
): readonly (readonly [string, string])[] {
  const stem = fileStem(identity);
  if (stem === null || isStemShared(identity, registry)) return [];
  return [
    [`${stem}.crt`, ''],
    [`${stem}.key`, ''],
  ];
}

/** Null when something in it has a wrong shape. */
function parseSnapshot(fields: readonly (string | undefined)[]): Snapshot | null {
  if (fields.length === 0) return EMPTY;
  let version = '';
  const members: Record<string, JsonObject> = {};
  for (let i = 0; i < fields.length; i += 2) {
    const [name = '', text = ''] = [fields[i], fields[i + 1]];
    if (name === VERSION) {
      version = text;
      continue;
    }
    const value = parsedObject(text);
    if (value === null) return null;
    members[name] = value;
  }
  const identities = parseIdentities(members);
  return identities === null || version === '' ? null : { version, identities };
}

function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

type Failed = { readonly ok: false; readonly error: Failure };

const CHECK_REDIS = 'ask the operator to check the Redis that GOPHER_MCP_REDIS_URL names.';

/** CERTIFICATE_STORE_UNAVAILABLE: Redis does not answer, or takes no change. */
export function identitiesUnavailable(trouble: RedisTrouble): Failed {
  return fail(
    'CERTIFICATE_STORE_UNAVAILABLE',
    'The shared identity store of this server cannot be reached.',
    { next_step: `Try again in a few seconds; if it keeps failing, ${CHECK_REDIS}` },
    trouble,
  );
}

/** CERTIFICATE_STORE_UNAVAILABLE: what Redis holds has a wrong shape. */
export function identitiesDamaged(): Failed {
  return fail('CERTIFICATE_STORE_UNAVAILABLE', 'The shared identity store of this server is damaged.', {
    next_step: `This is a local problem, retrying does not help: ${CHECK_REDIS}`,
  });
}
