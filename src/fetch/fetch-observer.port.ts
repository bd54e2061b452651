import type { ErrorCode, FailureReason } from '../common/error-codes.js';
import type { RequestInfo } from '../common/request-info.js';
import type { Principal } from '../common/principal.js';
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
  /** What the operator should know of the connection: that it showed a client certificate to whoever watches. */
  readonly warning?: string;
  /** The caller's trace, when it has one. */
  readonly trace?: TraceContext;
  /** Id of the transport's request, when it has one. */
  readonly requestId?: string;
  /** For the log only. */
  readonly cause?: unknown;
}

/** A wait of a download before it could start, granted or not. */
export interface FetchWait {
  readonly protocol: string;
  /** For its turn at the host, or for one of the slots of the protocol. */
  readonly cause: 'pacing' | 'slot';
  readonly durationMs: number;
}

/** What goes on in a pipeline at one moment. */
export interface PipelineLoad {
  /** Requests that stand in line at a host. */
  readonly pacing: number;
  readonly slotsTaken: number;
  /** Requests that wait for a slot. */
  readonly slotsWaiting: number;
  /** Slots there are; 0 = no limit. */
  readonly slots: number;
}

/** Watches what pipelines do. Nothing here may throw. */
export interface FetchObserver {
  /** Is told of every fetch once, after it ended. */
  onFetch(record: FetchRecord): void;
  /** Is told of every wait once, after it ended. */
  onWait?(wait: FetchWait): void;
  /** Is told of every pipeline once, when it is made. @param load cheap, at any time */
  onPipeline?(protocol: string, load: () => PipelineLoad): void;
}

/** Who fetches, and what that one wants to know of its fetches. */
export interface FetchContext {
  readonly principal: Principal;
  readonly trace?: TraceContext | undefined;
  /** Id of the transport's request; undefined over stdio. */
  readonly requestId?: string | undefined;
  /** Is told of each fetch of this call once, after it ended and before its result is there. Must not throw. */
  readonly onFetch?: (record: FetchRecord) => void;
}

/** Injection token of {@link FetchObserver}. */
export const FetchObserver = Symbol('FetchObserver');
