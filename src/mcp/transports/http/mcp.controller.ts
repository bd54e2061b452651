import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { LOCAL_PRINCIPAL } from '../../../common/principal.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.js';
import { isUnparsable } from './json-body.js';
import { McpDispatcher } from './mcp-dispatcher.js';
import { refuse } from './reply.js';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The MCP endpoint: hands what passed the checks of {@link McpEdge} to the dispatcher, which writes the response itself. */
@Controller()
export class McpController {
  constructor(@Inject(McpDispatcher) private readonly dispatcher: McpDispatcher) {}

  @All('mcp')
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.hijack();
    const { method, headers, body, id: requestId } = request;
    if (isUnparsable(body)) {
      refuse(reply.raw, 400, { code: ProtocolErrorCode.ParseError, message: 'The body is not valid JSON.' });
      return;
    }
    const origin = { principal: LOCAL_PRINCIPAL, address: clientAddress(request), headers, requestId };
    this.dispatcher.handle({ ...origin, method, body }, reply.raw);
  }
}
