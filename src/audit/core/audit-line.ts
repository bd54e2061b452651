/**
 * The lines of the audit: one JSON object each, with the same members for each event. Callers choose much of what stands in them, so
 * every text has a bound, and every character that could begin a line, move a cursor or turn the reading order round is escaped.
 */
import {
  MAX_RECORDED_TARGETS,
  type CallEnd,
  type CallStart,
  type TurnedAway,
} from '../../common/call-observer.port.js';
import { ERROR_CODES } from '../../common/error-codes.js';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { escapeControls } from '../../common/text/quote.js';

/** Most code units of a name, a version and a target; what is longer ends in an ellipsis. */
const MAX_NAME = 128;
const MAX_VERSION = 64;
const MAX_TARGET = 512;

/** A call, once it has ended. */
export interface EndedCall {
  readonly call: CallStart;
  readonly end: CallEnd;
  /** Digest of the session's id, so that lines of one session can be found without the id. */
  readonly session: string | null;
  readonly durationMs: number;
}

/** Events that belong to no caller: the audit begins, ends, has lost lines. */
export type TrailEvent = 'start' | 'stop' | 'gap';

/** The line of a call, without line end. One object literal: a line is made for each call. */
export function callLine({ call, end, session, durationMs }: EndedCall, nowMs: number): string {
  const { principal, client, origin, targets, targetCount } = call;
  const isBatch = targetCount > 1;
  return line({
    time: instant(nowMs),
    event: 'call',
    tenant: text(principal.tenant, MAX_NAME),
    subject: text(principal.subject, MAX_NAME),
    client: text(client?.name, MAX_NAME),
    client_version: text(client?.version, MAX_VERSION),
    client_address: text(origin.address, MAX_NAME),
    session,
    method: call.method,
    tool: text(call.tool, MAX_NAME),
    target: isBatch ? undefined : text(targets[0], MAX_TARGET),
    targets: isBatch ? shownTargets(targets) : undefined,
    target_count: isBatch ? targetCount : undefined,
    decision: isRefused(end) ? 'refused' : 'allowed',
    outcome: end.outcome,
    code: end.code ?? null,
    failed_items: end.failedItems > 0 ? end.failedItems : undefined,
    bytes: end.bytes,
    ms: Math.round(durationMs * 10) / 10,
    trace_id: call.trace?.traceId ?? null,
    request_id: text(origin.requestId, MAX_NAME),
  });
}

/** The line of a request that was turned away, without line end. */
export function turnedAwayLine(event: TurnedAway, nowMs: number): string {
  const { why, reason, status, origin, principal, method, tool } = event;
  return line({
    time: instant(nowMs),
    event: why,
    tenant: text(principal?.tenant, MAX_NAME),
    subject: text(principal?.subject, MAX_NAME),
    client_address: text(origin.address, MAX_NAME),
    method: text(method, MAX_NAME),
    tool: text(tool, MAX_NAME),
    decision: 'refused',
    reason: text(reason, MAX_NAME),
    status,
    request_id: text(origin.requestId, MAX_NAME),
  });
}

/** A line about the audit itself, without line end. */
export function trailLine(event: TrailEvent, nowMs: number, facts: JsonObject): string {
  return line({ time: instant(nowMs), event, ...facts });
}

function shownTargets(targets: readonly string[]): JsonValue {
  return targets.slice(0, MAX_RECORDED_TARGETS).map((target) => text(target, MAX_TARGET));
}

/** Whose fault the codes are says whether something was refused here; what a far server or this one failed at was allowed. */
function isRefused({ outcome, code }: CallEnd): boolean {
  if (outcome !== 'error') return false;
  const origin = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1].origin;
  return origin === undefined ? JSON_RPC_REFUSALS.has(code) : origin === 'caller' || origin === 'policy';
}

/** Invalid request, unknown method, invalid parameters, no such resource. */
const JSON_RPC_REFUSALS: ReadonlySet<string | undefined> = new Set(['-32600', '-32601', '-32602', '-32002']);

function text(value: string | null | undefined, maxLength: number): JsonValue {
  if (value === null || value === undefined) return null;
  return value.length <= maxLength ? value : `${value.slice(0, maxLength)}…`;
}

/** ISO-8601 UTC, milliseconds. */
function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

const PLAIN = /^[\x20-\x7e]*$/;

function line(members: JsonObject): string {
  const json = JSON.stringify(members);
  return PLAIN.test(json) ? json : escapeControls(json);
}
