/**
 * W3C trace context: which distributed trace a request belongs to.
 *
 * Rules of this file:
 * - A `traceparent` that breaks the grammar is no traceparent: whoever sent it is not part of a trace.
 * - Versions above 00 are read as far as version 00 defines them, as the recommendation demands.
 * - A `tracestate` is opaque; one that is too long is dropped, and the trace goes on without it.
 *
 * @see https://www.w3.org/TR/trace-context/
 */

/** The place of a request in a trace. */
export interface TraceContext {
  /** 32 lowercase hex digits, not all zero. */
  readonly traceId: string;
  /** Id of the caller's span: 16 lowercase hex digits, not all zero. */
  readonly parentId: string;
  /** Whether the caller records its part of the trace. */
  readonly sampled: boolean;
  /** What vendors passed along, verbatim; null without any. */
  readonly state: string | null;
}

/** Longest tracestate that is taken, in characters: what section 3.3.1.5 asks everybody to carry at least. */
const MAX_STATE_LENGTH = 512;

/** Section 3.2: version, trace-id, parent-id, trace-flags; what a later version may add comes after one more dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE_ID = '0'.repeat(32);
const NO_PARENT_ID = '0'.repeat(16);
const SAMPLED_FLAG = 1;

/** Reads the values of `traceparent` and `tracestate`; undefined when the first is missing or malformed. */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_STATE_LENGTH) return undefined;
  const [, version, traceId, parentId, flags, addition] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && addition !== undefined)) return undefined;
  if (traceId === NO_TRACE_ID || parentId === NO_PARENT_ID) return undefined;
  return {
    traceId,
    parentId,
    sampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) !== 0,
    state:
      typeof tracestate === 'string' && tracestate.length <= MAX_STATE_LENGTH && tracestate !== '' ? tracestate : null,
  };
}
