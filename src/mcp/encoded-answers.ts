import type { RequestId } from '@modelcontextprotocol/server';

/**
 * Answers that are bytes already, waiting for their JSON-RPC response: the request handler puts them here under the
 * request's id and returns an empty result, the transport takes them out and splices them into what it writes.
 */
export class EncodedAnswers {
  readonly #members = new Map<RequestId, readonly Buffer[]>();

  /** Leaves the members of the result of request `id`, in pieces to be written one after the other. */
  put(id: RequestId, ...members: readonly Buffer[]): void {
    this.#members.set(id, members);
  }

  /** Takes them; undefined when the request was answered without. */
  take(id: RequestId): readonly Buffer[] | undefined {
    const members = this.#members.get(id);
    if (members !== undefined) this.#members.delete(id);
    return members;
  }
}

/** Members that come encoded; what the SDK has in their place is empty. */
const SPLICED = { content: undefined, structuredContent: undefined, tools: undefined };

/**
 * Splices encoded members into a response: `result` is what the SDK made of the empty one, so that what it adds survives.
 *
 * @param id as the client sent it
 * @returns the whole JSON-RPC response, in pieces to be written one after the other
 */
export function spliceResponse(id: RequestId, result: object, members: readonly Buffer[]): readonly Buffer[] {
  const rest = JSON.stringify({ ...result, ...SPLICED });
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`);
  return [head, ...members, Buffer.from(rest === '{}' ? '}}' : `,${rest.slice(1)}}`)];
}
