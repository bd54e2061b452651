/**
 * Results as bytes that are ready to send.
 *
 * What a page says is serialised once, when it is rendered, and kept in that form: a cached page is replayed without
 * building an object. What differs from call to call (the cache trio and request_info) is the stamp; it comes last, so
 * that both parts are joined without looking into either.
 */
import type { JsonObject } from './json.js';

/** One tool payload: its constant members and the stamp of this call. */
export interface ResultPayload {
  /** The payload's `kind`; `error` is what makes isError true. */
  readonly kind: string;
  /** Compact JSON of the constant members, without the outer braces; never empty (every payload has a kind). */
  readonly constant: Buffer;
  readonly stamp: JsonObject;
}

/** Serialises constant members for {@link ResultPayload.constant}. */
export function packMembers(members: JsonObject & { readonly kind: string }): Buffer {
  return Buffer.from(innerJson(members));
}

/** A payload in one step, for results that are made once. */
export function payload(members: JsonObject & { readonly kind: string }, stamp: JsonObject = {}): ResultPayload {
  return { kind: members.kind, constant: packMembers(members), stamp };
}

/** The stamp as compact JSON, without the outer braces; empty when there is none. */
export function packStamp({ stamp }: ResultPayload): Buffer {
  return Buffer.from(innerJson(stamp));
}

/** The payload as compact JSON: what stands in structuredContent. */
export function compactJson({ constant, stamp }: ResultPayload): Buffer {
  const changing = innerJson(stamp);
  const end = Buffer.from(changing === '' ? '}' : `,${changing}}`);
  return Buffer.concat([OPEN_BRACE, constant, end], OPEN_BRACE.length + constant.length + end.length);
}

/** Bytes that `members` take as compact JSON, braces included. */
export function compactBytes(members: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(members));
}

/** The payload as an object, for callers inside the process. */
export function parsePayload(result: ResultPayload): JsonObject {
  const parsed: unknown = JSON.parse(compactJson(result).toString());
  if (!isJsonObject(parsed)) throw new TypeError('a payload is an object');
  return parsed;
}

const OPEN_BRACE = Buffer.from('{');

function innerJson(members: JsonObject): string {
  return JSON.stringify(members).slice(1, -1);
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
