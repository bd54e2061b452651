/**
 * Results as bytes that are ready to send.
 *
 * What a page says is serialised once, when it is rendered, and kept in that form: a cached page is replayed without
 * building an object. What differs from call to call (the cache trio and request_info) is the stamp; it comes last, so
 * that both parts are joined without looking into either.
 */
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';
import { STRIDE, type Steps } from './steps.js';

/** One tool payload: its constant members and the stamp of this call. */
export interface ResultPayload {
  /** The payload's `kind`; `error` is what makes isError true. */
  readonly kind: string;
  /** The code of an error. */
  readonly code?: string;
  /** Compact JSON of the constant members, without the outer braces; never empty (every payload has a kind). */
  readonly constant: Buffer;
  readonly stamp: JsonObject;
}

/** Serialises constant members for {@link ResultPayload.constant}. */
export function packMembers(members: JsonObject & { readonly kind: string }): Buffer {
  return Buffer.from(innerJson(members));
}

/**
 * As {@link packMembers}, in steps: a long list, in the members or in one of them, is written some elements at a time, a long text
 * some characters at a time.
 */
export function* packInSteps(members: JsonObject & { readonly kind: string }): Steps<Buffer> {
  if (!isLong(members)) return packMembers(members);
  const pieces: Buffer[] = [];
  yield* writeMembers(members, pieces);
  return Buffer.concat(pieces);
}

/** A payload in one step, for results that are made once. */
export function payload(members: JsonObject & { readonly kind: string }, stamp: JsonObject = {}): ResultPayload {
  const { kind, error } = members;
  const made = { kind, constant: packMembers(members), stamp };
  return kind === 'error' && isJsonObject(error) && typeof error['code'] === 'string'
    ? { ...made, code: error['code'] }
    : made;
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
const CLOSE_BRACE = Buffer.from('}');
const OPEN_BRACKET = Buffer.from('[');
const CLOSE_BRACKET = Buffer.from(']');
const COMMA = Buffer.from(',');
const QUOTE = Buffer.from('"');

/** Code units of a text that are written in one step. */
const LONG_TEXT_UNITS = 1 << 16;

function innerJson(members: JsonObject): string {
  return JSON.stringify(members).slice(1, -1);
}

/** Whether writing a value takes long. A list of many is judged by its length alone, so that this is quick to tell. */
function isLong(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT_UNITS;
  if (isList(value)) return value.length > STRIDE || value.some(isLong);
  return isJsonObject(value) && Object.values(value).some(isLong);
}

function* writeValue(value: JsonValue, pieces: Buffer[]): Steps<void> {
  if (!isLong(value)) pieces.push(Buffer.from(JSON.stringify(value)));
  else if (typeof value === 'string') yield* writeText(value, pieces);
  else if (isList(value)) yield* writeList(value, pieces);
  else if (isJsonObject(value)) {
    pieces.push(OPEN_BRACE);
    yield* writeMembers(value, pieces);
    pieces.push(CLOSE_BRACE);
  }
}

function* writeMembers(members: JsonObject, pieces: Buffer[]): Steps<void> {
  let separator = '';
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    pieces.push(Buffer.from(`${separator}${JSON.stringify(name)}:`));
    separator = ',';
    yield* writeValue(value, pieces);
  }
}

function* writeList(list: readonly JsonValue[], pieces: Buffer[]): Steps<void> {
  pieces.push(OPEN_BRACKET);
  if (list.length > STRIDE) yield* writeManyElements(list, pieces);
  else {
    for (const [index, value] of list.entries()) {
      if (index > 0) pieces.push(COMMA);
      yield* writeValue(value, pieces);
    }
  }
  pieces.push(CLOSE_BRACKET);
}

function* writeManyElements(list: readonly JsonValue[], pieces: Buffer[]): Steps<void> {
  for (let start = 0; start < list.length; start += STRIDE) {
    const part = JSON.stringify(list.slice(start, start + STRIDE)).slice(1, -1);
    pieces.push(Buffer.from(start === 0 ? part : `,${part}`));
    yield;
  }
}

function* writeText(text: string, pieces: Buffer[]): Steps<void> {
  pieces.push(QUOTE);
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + LONG_TEXT_UNITS);
    // Half of a surrogate pair would be written as an escape.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    pieces.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)));
    start = end;
    yield;
  }
  pieces.push(QUOTE);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
