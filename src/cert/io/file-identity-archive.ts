/**
 * The folders of all tenants, as an operator handles them. Each file is replaced as a whole, and a registry is changed under its lock, so
 * that servers go on beside it, and what is killed in the middle can be run again.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Failure } from '../../common/error-codes.js';
import { LOCAL_TENANT } from '../../common/principal.js';
import { ok, type Result } from '../../common/result.js';
import { asError } from '../../common/thrown.js';
import {
  isMissing,
  KeyedJsonFile,
  makePrivateFolder,
  nodeFileSystem,
  replaceFile,
  type FileSystem,
} from '../../file-store/index.js';
import { decidePut, isStemShared, withOwnKeyId, type PutOutcome } from '../core/decide-put.js';
import { unwritableFailure } from '../core/identity-messages.js';
import {
  fileStem,
  parseIdentities,
  scopeKey,
  serialiseIdentity,
  type IdentityRecord,
} from '../core/identity-record.js';
import { tenantFolder, tenantOfFolder } from '../core/tenant-folder.js';
import type { IdentityArchive, StoredIdentity } from '../identity-archive.port.js';
import type { KeyPairPem } from '../identity-minter.port.js';
import type { KeySealer } from '../key-sealer.port.js';
import { TENANTS_FOLDER } from './file-identity-stores.js';
import type { FileIdentityStoreOptions } from './file-identity-store.js';

/** What the archive depends on: the folder of all, and how keys are stored. */
export type FileIdentityArchiveOptions = Pick<FileIdentityStoreOptions, 'directory' | 'clock' | 'platform' | 'fs'> & {
  readonly sealer: KeySealer;
};

/** See the file's header. */
export class FileIdentityArchive implements IdentityArchive {
  readonly #fs: FileSystem;
  /** Folders in which the remains of a killed run were looked for. */
  readonly #swept = new Set<string>();

  constructor(private readonly options: FileIdentityArchiveOptions) {
    this.#fs = options.fs ?? nodeFileSystem;
  }

  async tenants(): Promise<Result<readonly string[], Failure>> {
    try {
      const names = await this.#namesIn(join(this.options.directory, TENANTS_FOLDER));
      const others = names.map(tenantOfFolder).filter((tenant) => tenant !== null);
      return ok([...new Set([LOCAL_TENANT, ...others])].sort());
    } catch (cause) {
      return unwritableFailure(cause);
    }
  }

  async read(tenant: string): Promise<Result<readonly StoredIdentity[], Failure>> {
    const directory = this.#directoryOf(tenant);
    const registry = await this.#registryIn(directory).read();
    if (!registry.ok) return registry;
    try {
      const stored: StoredIdentity[] = [];
      for (const record of registry.value.values()) {
        const stem = fileStem(record);
        const certificatePem = stem === null ? null : await this.#textOf(join(directory, `${stem}.crt`));
        const storedKey = stem === null ? null : await this.#textOf(join(directory, `${stem}.key`));
        stored.push({ record, certificatePem, storedKey });
      }
      return ok(stored);
    } catch (cause) {
      return unwritableFailure(cause);
    }
  }

  async put(
    tenant: string,
    record: IdentityRecord,
    { certificatePem, privateKeyPem }: KeyPairPem,
    mayReplace: boolean,
  ): Promise<Result<PutOutcome, Failure>> {
    const directory = this.#directoryOf(tenant);
    const file = this.#registryIn(directory);
    const key = scopeKey(record);
    const before = await file.read();
    if (!before.ok) return before;
    const current = before.value.get(key);
    const isUsable = current !== undefined && (await this.#hasFiles(directory, current));
    const outcome = decidePut(current, isUsable, record, mayReplace);
    if (outcome === 'unchanged' || outcome === 'differs') return ok(outcome);
    const own = withOwnKeyId(record, before.value, randomBytes(16).toString('hex'));
    try {
      await this.#makeFolders(directory);
      await this.#replace(join(directory, `${own.keyId}.key`), this.options.sealer.seal(own.keyId, privateKeyPem));
      await this.#replace(join(directory, `${own.keyId}.crt`), certificatePem);
    } catch (cause) {
      return unwritableFailure(cause);
    }
    const written = await file.update<PutOutcome>((registry) => {
      const now = registry.get(key);
      const same = now?.fingerprint === current?.fingerprint;
      if (!same && !(now !== undefined && mayReplace)) return { edits: [], value: 'differs' };
      return { edits: [{ key, entry: own }], value: outcome };
    });
    const replaced = current === undefined ? null : fileStem(current);
    if (!written.ok || written.value === 'differs' || current === undefined) return written;
    if (replaced !== null && replaced !== own.keyId && !isStemShared(current, before.value)) {
      for (const name of [`${replaced}.key`, `${replaced}.crt`]) await this.#drop(join(directory, name));
    }
    return written;
  }

  async keys(tenant: string): Promise<Result<ReadonlyMap<string, string>, Failure>> {
    const directory = this.#directoryOf(tenant);
    try {
      const keys = new Map<string, string>();
      for (const name of await this.#namesIn(directory)) {
        if (!name.endsWith('.key')) continue;
        const text = await this.#textOf(join(directory, name));
        if (text !== null) keys.set(name.slice(0, -'.key'.length), text);
      }
      return ok(keys);
    } catch (cause) {
      return unwritableFailure(cause);
    }
  }

  async replaceKey(tenant: string, stem: string, before: string, after: string): Promise<Result<boolean, Failure>> {
    const directory = this.#directoryOf(tenant);
    const path = join(directory, `${stem}.key`);
    try {
      await this.#sweep(directory);
      return ok(await this.#replace(path, after, async () => (await this.#textOf(path)) === before));
    } catch (cause) {
      return isMissing(cause) ? ok(false) : unwritableFailure(cause);
    }
  }

  /** Removes what runs that were killed left of new keys. */
  async #sweep(directory: string): Promise<void> {
    if (this.#swept.has(directory)) return;
    this.#swept.add(directory);
    for (const name of await this.#namesIn(directory)) {
      if (/\.key\.[0-9a-f]{16}\.tmp$/.test(name)) await this.#drop(join(directory, name));
    }
  }

  async #replace(path: string, text: string, mayReplace = () => Promise.resolve(true)): Promise<boolean> {
    const { clock, platform } = this.options;
    const real = await this.#fs.realpath(path).catch(() => path);
    return (await replaceFile({ fs: this.#fs, clock, platform }, real, Buffer.from(text), mayReplace)) !== null;
  }

  async #makeFolders(directory: string): Promise<void> {
    const { directory: all, platform } = this.options;
    const folders = directory === all ? [all] : [all, join(all, TENANTS_FOLDER), directory];
    for (const folder of folders) {
      const fault = await makePrivateFolder(folder, platform, this.#fs);
      if (fault !== undefined) throw asError(fault);
    }
  }

  async #hasFiles(directory: string, record: IdentityRecord): Promise<boolean> {
    const stem = fileStem(record);
    if (stem === null) return false;
    const texts = [`${stem}.crt`, `${stem}.key`].map((name) => this.#textOf(join(directory, name)).catch(() => null));
    return (await Promise.all(texts)).every((text) => text !== null);
  }

  /** Null when there is none. */
  async #textOf(path: string): Promise<string | null> {
    try {
      const handle = await this.#fs.open(path, 'r');
      try {
        return await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async #namesIn(directory: string): Promise<readonly string[]> {
    try {
      return await this.#fs.readdir(directory);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #drop(path: string): Promise<void> {
    await this.#fs.unlink(path).catch(() => undefined);
  }

  #directoryOf(tenant: string): string {
    const { directory } = this.options;
    const folder = tenant === LOCAL_TENANT ? null : tenantFolder(tenant);
    if (tenant !== LOCAL_TENANT && folder === null) throw new TypeError('the name can be no tenant');
    return folder === null ? directory : join(directory, TENANTS_FOLDER, folder);
  }

  #registryIn(directory: string): KeyedJsonFile<IdentityRecord> {
    const { clock, platform } = this.options;
    return new KeyedJsonFile<IdentityRecord>({
      path: join(directory, 'registry.json'),
      clock,
      platform,
      fs: this.#fs,
      label: 'identity registry',
      setting: 'GEMINI_CLIENT_CERTS_STORAGE_PATH',
      codec: { parse: parseIdentities, serialise: serialiseIdentity },
    });
  }
}
