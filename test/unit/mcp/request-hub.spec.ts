import { describe, expect, test } from '@jest/globals';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { UNKNOWN_CALLER, type Caller } from '../../../src/mcp/caller.js';
import type { Reply, RpcError } from '../../../src/mcp/transports/http/reply.js';
import { RequestHub } from '../../../src/mcp/transports/http/request-hub.js';

/** What went out for one request. */
class Sent implements Reply {
  readonly before: JSONRPCMessage[] = [];
  answer: unknown;
  code: number | undefined;
  abandoned = false;

  precede(message: JSONRPCMessage): void {
    this.before.push(message);
  }

  finish(pieces: readonly Buffer[], error: RpcError | undefined): void {
    this.answer = JSON.parse(Buffer.concat(pieces).toString());
    this.code = error?.code;
  }

  abandon(): void {
    this.abandoned = true;
  }
}

const request = (id: string | number): JSONRPCRequest => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });

/** A hub, and what it delivered to its server. */
function wired(): { hub: RequestHub; delivered: JSONRPCMessage[]; idOf: (index: number) => string | number } {
  const hub = new RequestHub(false);
  const delivered: JSONRPCMessage[] = [];
  hub.deliver = (message) => void delivered.push(message);
  return {
    hub,
    delivered,
    idOf: (index) => {
      const message = delivered[index];
      if (!message || !('id' in message) || message.id === undefined) throw new Error('there is no such request');
      return message.id;
    },
  };
}

describe('many requests through one server', () => {
  test('the same id of two clients makes two requests, each answered to its own', () => {
    const { hub, idOf } = wired();
    const [one, other] = [new Sent(), new Sent()];
    hub.submit(request(1), one, UNKNOWN_CALLER);
    hub.submit(request(1), other, UNKNOWN_CALLER);
    expect(idOf(0)).not.toBe(idOf(1));
    hub.send({ jsonrpc: '2.0', id: idOf(1), result: { of: 'other' } });
    hub.send({ jsonrpc: '2.0', id: idOf(0), error: { code: -32603, message: 'no' } });
    expect([one.answer, one.code]).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } }, -32603]);
    expect([other.answer, other.code]).toEqual([{ jsonrpc: '2.0', id: 1, result: { of: 'other' } }, undefined]);
    expect(hub.size).toBe(0);
  });

  test('a caller is known while its request runs', () => {
    const { hub, idOf } = wired();
    const caller: Caller = { ...UNKNOWN_CALLER, narrowing: { tools: [], readOnly: true } };
    hub.submit(request('a'), new Sent(), caller);
    expect(hub.callerOf(idOf(0))).toBe(caller);
    hub.send({ jsonrpc: '2.0', id: idOf(0), result: {} });
    expect(hub.callerOf(idOf(0))).toBe(UNKNOWN_CALLER);
  });

  test('a notification goes to the request it belongs to, and to nobody once that is answered', () => {
    const { hub, idOf } = wired();
    const sent = new Sent();
    hub.submit(request(1), sent, UNKNOWN_CALLER);
    const progress: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
    hub.send(progress, { relatedRequestId: idOf(0) });
    hub.send(progress);
    hub.send({ jsonrpc: '2.0', id: idOf(0), result: {} });
    hub.send(progress, { relatedRequestId: idOf(0) });
    expect(sent.before).toEqual([progress]);
  });
});

describe('cancellation', () => {
  const cancelled = (requestId: string | number): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });

  test('of a client that went away reaches the server, and nothing is kept', () => {
    const { hub, delivered, idOf } = wired();
    const cancel = hub.submit(request(1), new Sent(), UNKNOWN_CALLER);
    hub.answers.put(idOf(0), Buffer.from('"content":[]'));
    cancel();
    cancel();
    expect(delivered.slice(1)).toEqual([cancelled(idOf(0))]);
    expect([hub.size, hub.answers.take(idOf(0))]).toEqual([0, undefined]);
  });

  test('by notification works within its session alone, and ends the response', () => {
    const { hub, delivered, idOf } = wired();
    const sent = new Sent();
    hub.submit(request(1), sent, UNKNOWN_CALLER, { session: 'a' });
    hub.cancelFromSession('b', 1);
    hub.cancelFromSession('a', '1');
    expect([delivered.length, sent.abandoned]).toEqual([1, false]);
    hub.cancelFromSession('a', 1);
    hub.cancelFromSession('a', 1);
    expect(delivered.slice(1)).toEqual([cancelled(idOf(0))]);
    expect([sent.abandoned, hub.size]).toEqual([true, 0]);
  });

  test('after the answer does nothing', () => {
    const { hub, delivered, idOf } = wired();
    const cancel = hub.submit(request(1), new Sent(), UNKNOWN_CALLER, { session: 'a' });
    hub.send({ jsonrpc: '2.0', id: idOf(0), result: {} });
    cancel();
    hub.cancelFromSession('a', 1);
    expect(delivered).toHaveLength(1);
  });
});

describe('a question to a client', () => {
  /** A request of session `a` that asks something; gives the token under which its client knows the question. */
  function asking(): ReturnType<typeof wired> & { sent: Sent; token: string } {
    const all = wired();
    const sent = new Sent();
    all.hub.submit(request(1), sent, UNKNOWN_CALLER, { session: 'a' });
    const question: JSONRPCMessage = { jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: {} };
    all.hub.send(question, { relatedRequestId: all.idOf(0) });
    const asked = sent.before[0];
    return { ...all, sent, token: asked && 'id' in asked ? String(asked.id) : '' };
  }

  test('has an id that nobody can guess, and is answered from its session alone, once', () => {
    const { hub, delivered, token } = asking();
    expect(token).toMatch(/^[0-9a-f-]{36}$/);
    const answer = { jsonrpc: '2.0' as const, id: token, result: { action: 'accept' } };
    hub.receiveAnswer(answer, 'b');
    hub.receiveAnswer(answer, undefined);
    hub.receiveAnswer({ ...answer, id: 0 }, 'a');
    expect(delivered).toHaveLength(1);
    hub.receiveAnswer(answer, 'a');
    hub.receiveAnswer(answer, 'a');
    expect(delivered.slice(1)).toEqual([{ ...answer, id: 0 }]);
  });

  test('that is given up is named to its client as it knows it', () => {
    const { hub, idOf, sent, token, delivered } = asking();
    const givenUp = (requestId: number): JSONRPCMessage => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'late' },
    });
    hub.send(givenUp(7), { relatedRequestId: idOf(0) });
    hub.send(givenUp(0), { relatedRequestId: idOf(0) });
    expect(sent.before.slice(1)).toEqual([{ ...givenUp(0), params: { requestId: token, reason: 'late' } }]);
    hub.receiveAnswer({ jsonrpc: '2.0', id: token, result: {} }, 'a');
    expect(delivered).toHaveLength(1);
  });

  test('ends with its request', () => {
    const { hub, idOf, token, delivered } = asking();
    hub.send({ jsonrpc: '2.0', id: idOf(0), result: {} });
    hub.receiveAnswer({ jsonrpc: '2.0', id: token, result: {} }, 'a');
    expect(delivered).toHaveLength(1);
  });
});
