/** API keys in a file that several processes share (file-store: lock, read again, change one key, replace; for its owner alone). */
import type { Clock } from '../../common/clock.port.js';
import type { Failure } from '../../common/error-codes.js';
import type { Result } from '../../common/result.js';
import { KeyedJsonFile } from '../../file-store/index.js';
import type { ApiKeyStore } from '../api-key-store.port.js';
import { parseApiKeys, serialiseApiKey, type ApiKeyRecord } from '../core/api-key-record.js';

/** See the file's header. Failures say in their message what is wrong with the file. */
export class ApiKeyFile implements ApiKeyStore {
  readonly #file: KeyedJsonFile<ApiKeyRecord>;

  constructor(options: { readonly path: string; readonly clock: Clock; readonly platform: NodeJS.Platform }) {
    this.#file = new KeyedJsonFile<ApiKeyRecord>({
      ...options,
      label: 'file of API keys',
      setting: 'GOPHER_MCP_API_KEYS_FILE',
      codec: { parse: parseApiKeys, serialise: serialiseApiKey },
    });
  }

  readAll(): Promise<Result<ReadonlyMap<string, ApiKeyRecord>, Failure>> {
    return this.#file.read();
  }

  /** Adds a key; false when the id is taken. */
  add(id: string, record: ApiKeyRecord): Promise<Result<boolean, Failure>> {
    return this.#file.update((keys) =>
      keys.has(id) ? { edits: [], value: false } : { edits: [{ key: id, entry: record }], value: true },
    );
  }

  /**
   * Revokes a key from `nowMs` on. The record stays, so that what the key did can still be told apart.
   *
   * @returns what happened: there is no such key, it was revoked before, or it is now
   */
  revoke(id: string, nowMs: number): Promise<Result<'unknown' | 'before' | 'revoked', Failure>> {
    return this.#file.update<'unknown' | 'before' | 'revoked'>((keys) => {
      const record = keys.get(id);
      if (record === undefined) return { edits: [], value: 'unknown' };
      if (record.revokedMs !== null) return { edits: [], value: 'before' };
      return { edits: [{ key: id, entry: { ...record, revokedMs: nowMs } }], value: 'revoked' };
    });
  }
}
