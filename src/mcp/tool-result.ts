/**
 * The only place that turns a tool's outcome into an MCP result: the text blocks, structuredContent and isError.
 *
 * A result is written as bytes (`"content":[…],"structuredContent":…`), which the transports splice into the JSON-RPC
 * answer; nothing is serialised a second time.
 */
import type { Failure } from '../common/error-codes.js';
import { escapedPretty, prettyInSteps } from '../common/escaped-pretty.js';
import type { JsonObject } from '../common/json.js';
import { packStamp, payload, type ResultPayload } from '../common/payload.js';
import type { Steps } from '../common/steps.js';
import { PrettyMemo } from './pretty-memo.js';

/** A finished tool result. */
export interface EncodedResult {
  readonly isError: boolean;
  /** Code of the error, where there is exactly one. */
  readonly code: string | undefined;
  /** Items of a batch that are errors. */
  readonly failedItems: number;
  /** The members `content` and `structuredContent`, without outer braces, in pieces. */
  readonly members: readonly Buffer[];
}

/** Bytes of indented copies that are kept of pages asked for again and again. */
const MEMO_BYTES = 16 * 1024 * 1024;

const memo = new PrettyMemo(MEMO_BYTES);

/** Members of more bytes are indented in steps, ahead of writing the result. Only an operator who took bounds off has such. */
const LONG_BYTES = 1 << 20;

/** The indented forms of long members, by what they were made from. */
export type IndentedMembers = ReadonlyMap<Buffer, Buffer>;

/** The work ahead of writing `results`, for whoever writes them next; null when none of them is long, which nearly all are not. */
export function indentLong(results: readonly ResultPayload[]): Steps<IndentedMembers> | null {
  const long = results.filter(({ constant }) => constant.length > LONG_BYTES);
  return long.length === 0 ? null : indentEach(long);
}

function* indentEach(results: readonly ResultPayload[]): Steps<IndentedMembers> {
  const indented = new Map<Buffer, Buffer>();
  for (const { constant } of results) indented.set(constant, yield* prettyInSteps(constant, 1));
  return indented;
}

/** One payload: one text block with the same JSON, isError when its kind is `error`. */
export function encodeSingle(result: ResultPayload, indented?: IndentedMembers): EncodedResult {
  const stamp = packStamp(result);
  return {
    isError: result.kind === 'error',
    code: result.code,
    failedItems: 0,
    members: [CONTENT_OPEN, ...textBlock(result, stamp, indented), STRUCTURED, ...structured(result, stamp)],
  };
}

/** One text block an item; never an error as a whole, since one flag cannot speak for a list. */
export function encodeBatch(
  results: readonly ResultPayload[],
  isError = false,
  indented?: IndentedMembers,
): EncodedResult {
  const blocks: Buffer[] = [CONTENT_OPEN];
  const items: Buffer[] = [STRUCTURED, BATCH_OPEN];
  let failedItems = 0;
  for (const [index, result] of results.entries()) {
    const stamp = packStamp(result);
    if (result.kind === 'error') failedItems++;
    if (index > 0) {
      blocks.push(COMMA);
      items.push(COMMA);
    }
    blocks.push(...textBlock(result, stamp, indented));
    items.push(...structured(result, stamp));
  }
  const code = results.length === 1 ? results[0]?.code : undefined;
  return { isError, code, failedItems, members: [...blocks, ...items, BATCH_CLOSE] };
}

/** Arguments that do not fit, in the shape of the tool's results. */
export function encodeRefusal(error: Failure, batch: boolean): EncodedResult {
  const refused = refusalPayload(error);
  return batch ? encodeBatch([refused], true) : encodeSingle(refused);
}

function refusalPayload({ code, message, facts }: Failure): ResultPayload {
  const detail: JsonObject = { code, message, ...facts };
  return payload({ kind: 'error', error: detail }, { request_info: {} });
}

function structured({ constant }: ResultPayload, stamp: Buffer): readonly Buffer[] {
  return stamp.length === 0
    ? [OBJECT_OPEN, constant, OBJECT_CLOSE]
    : [OBJECT_OPEN, constant, COMMA, stamp, OBJECT_CLOSE];
}

function textBlock({ constant }: ResultPayload, stamp: Buffer, indented?: IndentedMembers): readonly Buffer[] {
  const members = indented?.get(constant) ?? memo.membersOf(constant);
  if (stamp.length === 0) return [BLOCK_OPEN, members, BLOCK_CLOSE];
  return [BLOCK_OPEN, members, NEXT_MEMBER, escapedPretty(stamp, 1), BLOCK_CLOSE];
}

const CONTENT_OPEN = Buffer.from('"content":[');
const BLOCK_OPEN = Buffer.from(String.raw`{"type":"text","text":"{\n  `);
const NEXT_MEMBER = Buffer.from(String.raw`,\n  `);
const BLOCK_CLOSE = Buffer.from(String.raw`\n}"}`);
const STRUCTURED = Buffer.from('],"structuredContent":');
const OBJECT_OPEN = Buffer.from('{');
const OBJECT_CLOSE = Buffer.from('}');
const BATCH_OPEN = Buffer.from('{"result":[');
const BATCH_CLOSE = Buffer.from(']}');
const COMMA = Buffer.from(',');
