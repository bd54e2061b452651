import type { ErrorCode, FailureReason } from '../common/error-codes.js';
import type { RequestInfo } from '../common/request-info.js';
import type { TraceContext } from '../common/trace-context.js';

/** What happened to one fetch, for logs and metrics. Carries no query, no search terms, no resolved address. */
export interface FetchRecord {
  readonly protocol: string;
  /** The echo, as the result shows it. */
  readonly request: RequestInfo;
  /** Kind of the result. */
  readonly kind: string;
  readonly code?: ErrorCode;
  readonly reason?: FailureReason;
  /** Bytes of the rendered members; 0 for an error. */
  readonly bytes: number;
  /** Waits included. */
  readonly durationMs: number;
  readonly source: 'wire' | 'cache' | 'held' | 'none';
  /** The caller's trace, when it has one. */
  readonly trace?: TraceContext;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Is told of every fetch once, after it ended. Must not throw. */
export interface FetchObserver {
  onFetch(record: FetchRecord): void;
}

/** What one caller wants to be known of its fetches, and to know of them. */
export interface FetchContext {
  readonly trace?: TraceContext | undefined;
  /** Is told of each fetch of this call once, after it ended and before its result is there. Must not throw. */
  readonly onFetch?: (record: FetchRecord) => void;
}

/** Injection token of {@link FetchObserver}. */
export const FetchObserver = Symbol('FetchObserver');
