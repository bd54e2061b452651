/**
 * Many HTTP exchanges through one connected server.
 *
 * A server costs little, but connecting one for each request costs more than most requests. So one serves all: each
 * request gets a process-unique id on its way in, mapped back on its way out. Nothing of one client reaches another,
 * since every answer, notification and question is routed by that id alone.
 */
import { randomUUID } from 'node:crypto';
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  MessageExtraInfo,
  RequestId,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { UNKNOWN_CALLER, type Caller, type ServerLink } from '../../caller.js';
import { EncodedAnswers, spliceResponse } from '../../encoded-answers.js';
import type { Reply } from './reply.js';

interface Running {
  readonly clientId: RequestId;
  readonly reply: Reply;
  readonly caller: Caller;
  readonly session: string | undefined;
  /** Tokens of questions that wait for the client. */
  readonly questions: string[];
}

/** See the file's header. */
export class RequestHub implements ServerLink {
  /** Results of tools wait here for their answer. */
  readonly answers = new EncodedAnswers();
  /** Hands a message to the server; set by the transport that the server is connected to. */
  deliver: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void = () => undefined;
  readonly #running = new Map<RequestId, Running>();
  readonly #byClientId = new Map<string, number>();
  readonly #questions = new Map<string, { readonly id: RequestId; readonly session: string | undefined }>();
  #nextId = 1;

  /**
   * @param stateless whether the server behind this hub speaks 2026-07-28
   * @param hasStatuses whether each answer is an HTTP response
   */
  constructor(
    readonly stateless: boolean,
    readonly hasStatuses = true,
  ) {}

  /** Requests under way. */
  get size(): number {
    return this.#running.size;
  }

  callerOf(id: RequestId): Caller {
    return this.#running.get(id)?.caller ?? UNKNOWN_CALLER;
  }

  clientIdOf(id: RequestId): RequestId {
    return this.#running.get(id)?.clientId ?? id;
  }

  /**
   * Hands a request in.
   *
   * @param session when given, the client may cancel the request by notification and answer questions in it
   * @returns ends the request as if the client had cancelled it; does nothing once it is answered
   */
  submit(
    request: JSONRPCRequest,
    reply: Reply,
    caller: Caller,
    { session, extra }: { readonly session?: string | undefined; readonly extra?: MessageExtraInfo | undefined } = {},
  ): () => void {
    const id = this.#nextId++;
    this.#running.set(id, { clientId: request.id, reply, caller, session, questions: [] });
    if (session !== undefined) this.#byClientId.set(clientKey(session, request.id), id);
    this.deliver({ ...request, id }, extra);
    return () => {
      if (this.#end(id) === undefined) return;
      this.answers.take(id);
      this.#cancel(id, extra);
    };
  }

  /** What the server sends: an answer, or a notification or question that belongs to a running request. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): void {
    if (!('method' in message)) {
      this.#answer(message);
      return;
    }
    const running = options?.relatedRequestId === undefined ? undefined : this.#running.get(options.relatedRequestId);
    if (!running) return;
    if (!('id' in message)) {
      const shown = message.method === 'notifications/cancelled' ? this.#withToken(message, running) : message;
      if (shown) running.reply.precede(shown);
      return;
    }
    // A question gets an id nobody can guess: its answer arrives in a request of its own.
    const token = randomUUID();
    this.#questions.set(token, { id: message.id, session: running.session });
    running.questions.push(token);
    running.reply.precede({ ...message, id: token });
  }

  /** A client's answer to a question. @returns whether this session was asked one by that id, here */
  receiveAnswer(response: JSONRPCResponse, session: string | undefined): boolean {
    const token = String(response.id);
    const question = this.#questions.get(token);
    if (!question || question.session !== session) return false;
    this.#questions.delete(token);
    this.deliver({ ...response, id: question.id });
    return true;
  }

  /**
   * A client's cancellation of a request of its session: the request is not answered any more, its response ends.
   *
   * @returns whether such a request runs here
   */
  cancelFromSession(session: string, requestId: unknown): boolean {
    const id = this.#byClientId.get(clientKey(session, requestId));
    if (id === undefined) return false;
    this.#cancel(id);
    this.#end(id)?.reply.abandon();
    return true;
  }

  #answer(message: JSONRPCResponse): void {
    const { id } = message;
    if (id === undefined) return;
    const members = this.answers.take(id);
    const running = this.#end(id);
    if (!running) return;
    const { clientId, reply } = running;
    if ('error' in message) {
      reply.finish([Buffer.from(JSON.stringify({ ...message, id: clientId }))], message.error);
    } else if (members === undefined) {
      reply.finish([Buffer.from(JSON.stringify({ ...message, id: clientId }))], undefined);
    } else {
      reply.finish(spliceResponse(clientId, message.result, members), undefined);
    }
  }

  #end(id: RequestId): Running | undefined {
    const running = this.#running.get(id);
    if (!running) return undefined;
    this.#running.delete(id);
    if (running.session !== undefined) this.#byClientId.delete(clientKey(running.session, running.clientId));
    for (const token of running.questions) this.#questions.delete(token);
    return running;
  }

  /** The server gives a question up, which its client knows by its token. */
  #withToken(message: JSONRPCNotification, { questions }: Running): JSONRPCNotification | undefined {
    const asked = message.params?.['requestId'];
    const token = questions.find((one) => this.#questions.get(one)?.id === asked);
    if (token === undefined) return undefined;
    this.#questions.delete(token);
    return { ...message, params: { ...message.params, requestId: token } };
  }

  #cancel(requestId: number, extra?: MessageExtraInfo): void {
    this.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, extra);
  }
}

/** Ids of different sessions, and 1 and "1" of one session, are different requests. */
function clientKey(session: string, id: unknown): string {
  return `${session}\0${JSON.stringify(id)}`;
}
