/**
 * Identities in a folder: `registry.json`, shared with other processes (file-store), and for each identity `<key id>.crt`
 * and `<key id>.key`, named at random so that no two can ever share a file.
 *
 * Files come before the registry when an identity is made and go after it when it is removed: whatever is registered has
 * been complete, and a crash leaves at worst files that no entry names. Those are cleared by a later change.
 */
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../common/clock.port.js';
import type { Failure } from '../../common/error-codes.js';
import { err, ok, type Result } from '../../common/result.js';
import { asError } from '../../common/thrown.js';
import {
  createPrivateFile,
  flushFolder,
  isMissing,
  isSameState,
  KeyedJsonFile,
  makePrivateFolder,
  nodeFileSystem,
  WriteProbe,
  type FileSystem,
} from '../../file-store/index.js';
import { isStemShared } from '../core/decide-put.js';
import { sealedFailure, unreadableFailure, unwritableFailure } from '../core/identity-messages.js';
import {
  fileStem,
  mintedRecord,
  parseIdentities,
  scopeKey,
  serialiseIdentity,
  type IdentityRecord,
} from '../core/identity-record.js';
import type { Scope } from '../core/scope.js';
import type { KeyPairPem, MintedIdentity } from '../identity-minter.port.js';
import type { IdentityStore, RemovedIdentity } from '../identity-store.port.js';
import type { KeySealer } from '../key-sealer.port.js';
import { AesKeySealer } from './aes-key-sealer.js';

/** Age at which a file that no entry names is cleared, in milliseconds: one being made is seconds old. */
const ORPHAN_AGE_MS = 3_600_000;

/** Key pairs kept in memory; more identities in use at a time are read again. */
const KEPT_KEY_PAIRS = 64;

/** What the store depends on. */
export interface FileIdentityStoreOptions {
  /** The folder, `certs` or below it. */
  readonly directory: string;
  /** Folders around it that are made private with it, the outermost first. Default: none. */
  readonly enclosing?: readonly string[];
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Told once when the registry cannot be read: fetches then go on without identities. */
  readonly warn: (failure: Failure) => void;
  /** The form in which private keys are stored. Default: as they are. */
  readonly sealer?: KeySealer;
  /** Default: the real one. */
  readonly fs?: FileSystem;
}

interface KeptKeyPair {
  readonly certificate: BigIntStats;
  readonly key: BigIntStats;
  readonly pem: KeyPairPem;
}

export class FileIdentityStore implements IdentityStore {
  readonly #directory: string;
  readonly #enclosing: readonly string[];
  readonly #platform: NodeJS.Platform;
  readonly #clock: Clock;
  readonly #warn: (failure: Failure) => void;
  readonly #sealer: KeySealer;
  readonly #fs: FileSystem;
  readonly #registry: KeyedJsonFile<IdentityRecord>;
  readonly #probe: WriteProbe;
  /** By file stem, least recently used first. */
  readonly #keyPairs = new Map<string, KeptKeyPair>();
  #warnedOf: string | null = null;

  constructor({
    directory,
    enclosing = [],
    clock,
    platform,
    warn,
    sealer = new AesKeySealer(null),
    fs = nodeFileSystem,
  }: FileIdentityStoreOptions) {
    this.#directory = directory;
    this.#enclosing = enclosing;
    this.#platform = platform;
    this.#clock = clock;
    this.#warn = warn;
    this.#sealer = sealer;
    this.#fs = fs;
    const path = join(directory, 'registry.json');
    this.#registry = new KeyedJsonFile<IdentityRecord>({
      path,
      clock,
      platform,
      fs,
      label: 'identity registry',
      setting: 'GEMINI_CLIENT_CERTS_STORAGE_PATH',
      codec: { parse: parseIdentities, serialise: serialiseIdentity },
    });
    this.#probe = new WriteProbe({ path, fs, clock });
  }

  async readAll(): Promise<Result<ReadonlyMap<string, IdentityRecord>, Failure>> {
    const registry = await this.#registry.read();
    const fault = registry.ok ? null : registry.error.message;
    if (!registry.ok && fault !== this.#warnedOf) this.#warn(registry.error);
    this.#warnedOf = fault;
    return registry;
  }

  isWritable(): Promise<boolean> {
    return this.#probe.isWritable();
  }

  async isUsable(identity: IdentityRecord): Promise<boolean> {
    const stem = fileStem(identity);
    if (stem === null) return false;
    try {
      const [certificate, key] = await this.#stat(stem);
      return certificate.isFile() && key.isFile();
    } catch {
      return false;
    }
  }

  async keyPair(identity: IdentityRecord): Promise<Result<KeyPairPem | null, Failure>> {
    const stem = fileStem(identity);
    if (stem === null) return ok(null);
    try {
      const [certificate, key] = await this.#stat(stem);
      const kept = this.#keyPairs.get(stem);
      if (kept !== undefined && isSameState(kept.certificate, certificate) && isSameState(kept.key, key)) {
        return ok(kept.pem);
      }
      const certificatePem = await this.#readText(this.#certificatePath(stem));
      const opened = this.#sealer.open(stem, await this.#readText(this.#keyPath(stem)));
      if (!opened.ok) return sealedFailure(identity, opened.error);
      const pem = { certificatePem, privateKeyPem: opened.value };
      this.#keep(stem, { certificate, key, pem });
      return ok(pem);
    } catch (cause) {
      this.#keyPairs.delete(stem);
      return isMissing(cause) ? ok(null) : unreadableFailure(identity, cause);
    }
  }

  async add(
    scope: Scope,
    minted: MintedIdentity,
    refuse: (registry: ReadonlyMap<string, IdentityRecord>) => Failure | null,
  ): Promise<Result<IdentityRecord, Failure>> {
    const keyId = randomBytes(16).toString('hex');
    const identity = mintedRecord(scope, minted, keyId);
    try {
      await this.#writeFiles(keyId, minted);
    } catch (cause) {
      await this.#deleteFiles(keyId);
      return unwritableFailure(cause);
    }
    const outcome = await this.#registry.update<Result<ReadonlyMap<string, IdentityRecord>, Failure>>((registry) => {
      const refusal = refuse(registry);
      if (refusal !== null) return { edits: [], value: err(refusal) };
      return { edits: [{ key: scopeKey(identity), entry: identity }], value: ok(registry) };
    });
    const before = outcome.ok ? outcome.value : outcome;
    if (!before.ok) {
      await this.#deleteFiles(keyId);
      return before;
    }
    const replaced = before.value.get(scopeKey(identity));
    if (replaced !== undefined) await this.#deleteFilesOf(replaced, before.value);
    await this.#clearOrphans(before.value);
    return ok(identity);
  }

  async remove(identity: IdentityRecord): Promise<Result<RemovedIdentity | null, Failure>> {
    const key = scopeKey(identity);
    const outcome = await this.#registry.update<ReadonlyMap<string, IdentityRecord> | null>((registry) => {
      const current = registry.get(key);
      if (current?.fingerprint !== identity.fingerprint || current.keyId !== identity.keyId) {
        return { edits: [], value: null };
      }
      return { edits: [{ key, entry: null }], value: registry };
    });
    if (!outcome.ok) return outcome;
    if (outcome.value === null) return ok(null);
    const keyRemains = await this.#deleteFilesOf(identity, outcome.value);
    await this.#clearOrphans(outcome.value);
    return ok({ keyRemains });
  }

  async #writeFiles(stem: string, { certificatePem, privateKeyPem }: KeyPairPem): Promise<void> {
    for (const folder of [...this.#enclosing, this.#directory]) {
      const fault = await makePrivateFolder(folder, this.#platform, this.#fs);
      if (fault !== undefined) throw asError(fault);
    }
    await createPrivateFile(this.#fs, this.#keyPath(stem), Buffer.from(this.#sealer.seal(stem, privateKeyPem)));
    await createPrivateFile(this.#fs, this.#certificatePath(stem), Buffer.from(certificatePem));
    await flushFolder({ fs: this.#fs, platform: this.#platform }, this.#directory);
  }

  /**
   * Deletes the files of an identity that was in `registry`, unless another entry names the same: old entries may share
   * them. Resolves whether a key remains that should not.
   */
  async #deleteFilesOf(identity: IdentityRecord, registry: ReadonlyMap<string, IdentityRecord>): Promise<boolean> {
    const stem = fileStem(identity);
    if (stem === null || isStemShared(identity, registry)) return false;
    return this.#deleteFiles(stem);
  }

  async #deleteFiles(stem: string): Promise<boolean> {
    this.#keyPairs.delete(stem);
    const [keyRemains] = await Promise.all([
      this.#fails(this.#keyPath(stem)),
      this.#fails(this.#certificatePath(stem)),
    ]);
    return keyRemains;
  }

  /** Deletes a file; resolves whether it is still there. */
  async #fails(path: string): Promise<boolean> {
    try {
      await this.#fs.unlink(path);
      return false;
    } catch (error) {
      return !isMissing(error);
    }
  }

  /**
   * Deletes key and certificate files that no entry names. Only beside a registry that named something before the change:
   * one that was lost or moved away is no reason to destroy keys. Best effort.
   */
  async #clearOrphans(before: ReadonlyMap<string, IdentityRecord>): Promise<void> {
    const registry = await this.#registry.read();
    if (before.size === 0 || !registry.ok) return;
    const used = new Set([...registry.value.values()].map(fileStem));
    const names = await this.#fs.readdir(this.#directory).catch(() => []);
    for (const name of names) {
      const [, stem] = /^([0-9a-f]{32})\.(?:key|crt)$/.exec(name) ?? [];
      if (stem === undefined || used.has(stem)) continue;
      const path = join(this.#directory, name);
      const isOld = await this.#fs.stat(path).then(
        ({ mtimeMs }) => this.#clock.nowMs() - mtimeMs > ORPHAN_AGE_MS,
        () => false,
      );
      if (isOld) await this.#fails(path);
    }
  }

  #keep(stem: string, keyPair: KeptKeyPair): void {
    this.#keyPairs.delete(stem);
    this.#keyPairs.set(stem, keyPair);
    const [oldest] = this.#keyPairs.keys();
    if (this.#keyPairs.size > KEPT_KEY_PAIRS && oldest !== undefined) this.#keyPairs.delete(oldest);
  }

  #stat(stem: string): Promise<[BigIntStats, BigIntStats]> {
    const options = { bigint: true } as const;
    return Promise.all([
      this.#fs.stat(this.#certificatePath(stem), options),
      this.#fs.stat(this.#keyPath(stem), options),
    ]);
  }

  async #readText(path: string): Promise<string> {
    const handle = await this.#fs.open(path, 'r');
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }

  #certificatePath(stem: string): string {
    return join(this.#directory, `${stem}.crt`);
  }

  #keyPath(stem: string): string {
    return join(this.#directory, `${stem}.key`);
  }
}
