import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authentication } from './authentication.js';
import { clientAddress } from './client-address.js';
import { isUnparsable } from './json-body.js';
import { McpDispatcher } from './mcp-dispatcher.js';
import { refuse } from './reply.js';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The MCP endpoint: hands what passed the checks of {@link McpEdge} to the dispatcher, which writes the response itself. */
@Controller()
export class McpController {
  constructor(
    @Inject(McpDispatcher) private readonly dispatcher: McpDispatcher,
    @Inject(Authentication) private readonly authentication: Authentication,
  ) {}

  @All('mcp')
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.hijack();
    const { method, headers, body, id: requestId } = request;
    if (isUnparsable(body)) {
      refuse(reply.raw, 400, { code: ProtocolErrorCode.ParseError, message: 'The body is not valid JSON.' });
      return;
    }
    const principal = this.authentication.principalOf(request.raw);
    const origin = { principal, address: clientAddress(request), headers, requestId };
    this.dispatcher.handle({ ...origin, method, body }, reply.raw);
  }
}
