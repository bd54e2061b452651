import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { ApiKeyRecord } from './core/api-key-record.js';

/** Where API keys are kept. */
export interface ApiKeyStore {
  /** All keys by id, as they are stored now. The same map as long as nothing changed. */
  readAll(): Promise<Result<ReadonlyMap<string, ApiKeyRecord>, Failure>>;
}

/** Injection token of {@link ApiKeyStore}. */
export const ApiKeyStore = Symbol('ApiKeyStore');
