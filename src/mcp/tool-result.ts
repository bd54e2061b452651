/**
 * The only place that turns a tool's outcome into an MCP result: the text blocks, structuredContent and isError.
 *
 * A result is written as bytes (`"content":[…],"structuredContent":…`), which the transports splice into the JSON-RPC
 * answer; nothing is serialised a second time.
 */
import type { Failure } from '../common/error-codes.js';
import { escapedPretty } from '../common/escaped-pretty.js';
import type { JsonObject } from '../common/json.js';
import { compactJson, payload, type ResultPayload } from '../common/payload.js';

/** A finished tool result. */
export interface EncodedResult {
  readonly isError: boolean;
  /** The members `content` and `structuredContent`, without outer braces. */
  readonly members: Buffer;
}

/** One payload: one text block with the same JSON, isError when its kind is `error`. */
export function encodeSingle(result: ResultPayload): EncodedResult {
  const json = compactJson(result);
  return {
    isError: result.kind === 'error',
    members: Buffer.concat([CONTENT_OPEN, BLOCK_OPEN, escapedPretty(json), BLOCK_CLOSE, STRUCTURED, json]),
  };
}

/** One text block an item; never an error as a whole, since one flag cannot speak for a list. */
export function encodeBatch(results: readonly ResultPayload[], isError = false): EncodedResult {
  const blocks: Buffer[] = [CONTENT_OPEN];
  const items: Buffer[] = [STRUCTURED, BATCH_OPEN];
  for (const [index, result] of results.entries()) {
    const json = compactJson(result);
    if (index > 0) {
      blocks.push(COMMA);
      items.push(COMMA);
    }
    blocks.push(BLOCK_OPEN, escapedPretty(json), BLOCK_CLOSE);
    items.push(json);
  }
  return { isError, members: Buffer.concat([...blocks, ...items, BATCH_CLOSE]) };
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

const CONTENT_OPEN = Buffer.from('"content":[');
const BLOCK_OPEN = Buffer.from('{"type":"text","text":"');
const BLOCK_CLOSE = Buffer.from('"}');
const STRUCTURED = Buffer.from('],"structuredContent":');
const BATCH_OPEN = Buffer.from('{"result":[');
const BATCH_CLOSE = Buffer.from(']}');
const COMMA = Buffer.from(',');
