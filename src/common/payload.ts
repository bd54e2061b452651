/**
 * Results as bytes that are ready to send.
 *
 * An MCP answer carries each payload twice: compact in structuredContent and, indented by two, as the text of a content
 * block. Both are made here once, from one object, and kept as bytes, so that a cached page is replayed without
 * serialising anything but its stamp. The stamp holds the few members that differ from call to call (the cache trio
 * and request_info) and comes last in both copies.
 */
import type { JsonObject } from './json.js';

/** The constant members of a payload: JSON without its outer braces, compact, and as the inside of the text block's JSON string. */
export interface PackedMembers {
  readonly compact: Buffer;
  readonly escapedPretty: Buffer;
}

/** One tool payload: what does not change between replays, and the stamp of this call. */
export interface ResultPayload {
  /** The payload's `kind`; `error` is what makes isError true. */
  readonly kind: string;
  readonly constant: PackedMembers;
  readonly stamp: JsonObject;
}

/** Serialises the constant members. `members` must have at least one defined member (every payload has `kind`). */
export function packMembers(members: JsonObject): PackedMembers {
  return {
    compact: Buffer.from(innerCompact(members)),
    escapedPretty: Buffer.from(innerEscapedPretty(members)),
  };
}

/** A payload in one step, for results that are made once. */
export function payload(members: JsonObject & { readonly kind: string }, stamp: JsonObject = {}): ResultPayload {
  return { kind: members.kind, constant: packMembers(members), stamp };
}

/** Bytes that `members` alone take in the compact structuredContent, braces included. */
export function compactBytes(members: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(members));
}

/** The compact JSON object, as it stands in structuredContent: buffers to be concatenated. */
export function compactChunks(result: ResultPayload): readonly Buffer[] {
  const stamp = innerCompact(result.stamp);
  return [OPEN, result.constant.compact, Buffer.from(stamp === '' ? '}' : `,${stamp}}`)];
}

/** The inside (without quotes) of the text block's JSON string: the pretty JSON object, escaped. */
export function escapedPrettyChunks(result: ResultPayload): readonly Buffer[] {
  const stamp = innerEscapedPretty(result.stamp);
  return [
    OPEN_PRETTY,
    result.constant.escapedPretty,
    Buffer.from(stamp === '' ? String.raw`\n}` : String.raw`,\n` + stamp + String.raw`\n}`),
  ];
}

/** The payload as an object, for callers inside the process. */
export function parsePayload(result: ResultPayload): JsonObject {
  return JSON.parse(Buffer.concat(compactChunks(result)).toString()) as JsonObject;
}

const OPEN = Buffer.from('{');
const OPEN_PRETTY = Buffer.from(String.raw`{\n`);

function innerCompact(members: JsonObject): string {
  return JSON.stringify(members).slice(1, -1);
}

function innerEscapedPretty(members: JsonObject): string {
  const pretty = JSON.stringify(members, null, 2);
  // '{\n  …\n}' without its first two and last two characters; '{}' has nothing inside.
  return pretty === '{}' ? '' : JSON.stringify(pretty.slice(2, -2)).slice(1, -1);
}
