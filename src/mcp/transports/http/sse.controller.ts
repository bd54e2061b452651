import { All, Controller, Inject, Query, Req, Res } from '@nestjs/common';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authentication } from './authentication.js';
import { clientAddress } from './client-address.js';
import { isUnparsable } from './json-body.js';
import { refuse } from './reply.js';
import { SESSION_PARAMETER, SseDispatcher } from './sse-dispatcher.js';

/** The two endpoints of HTTP+SSE: hands what passed the checks of the edge to the dispatcher, which writes the responses itself. */
@Controller()
export class SseController {
  constructor(
    @Inject(SseDispatcher) private readonly dispatcher: SseDispatcher,
    @Inject(Authentication) private readonly authentication: Authentication,
  ) {}

  @All('sse')
  open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.hijack();
    this.dispatcher.open(this.authentication.principalOf(request.raw), reply.raw);
  }

  @All('messages')
  receive(
    @Req() request: FastifyRequest,
    @Query(SESSION_PARAMETER) sessionId: unknown,
    @Res() reply: FastifyReply,
  ): void {
    reply.hijack();
    const { headers, body, id: requestId } = request;
    if (isUnparsable(body)) {
      refuse(reply.raw, 400, { code: ProtocolErrorCode.ParseError, message: 'The body is not valid JSON.' });
      return;
    }
    const principal = this.authentication.principalOf(request.raw);
    this.dispatcher.receive(
      typeof sessionId === 'string' ? sessionId : undefined,
      { principal, address: clientAddress(request), headers, requestId },
      body,
      reply.raw,
    );
  }
}
