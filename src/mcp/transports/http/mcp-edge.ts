/** The checks in front of the MCP endpoint, before a body is read: see request-checks.ts for what and why. */
import { Catch, HttpException, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HostPolicy } from './host-policy.js';
import { refuse } from './reply.js';
import { checkEnvelope, type HttpRefusal } from './request-checks.js';

/** Path that belongs to MCP; everything else is outside the Host check. */
const MCP_PATH = '/mcp';

/** Installs the checks. */
export function guardMcpEndpoint(fastify: FastifyInstance, policy: HostPolicy): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const wrong = isMcp(request) ? checkEnvelope(request.method, request.headers, policy) : undefined;
    if (wrong) answer(reply, wrong);
    else done();
  });
}

/** Turns what Fastify refuses at the MCP endpoint (a body that is too large or cut short) into JSON-RPC errors. */
@Catch()
export class McpEdgeFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (!isMcp(http.getRequest<FastifyRequest>())) {
      super.catch(exception, host);
      return;
    }
    const tooLarge = statusOf(exception) === 413;
    const message = tooLarge ? 'The request is larger than this server takes.' : 'The request could not be read.';
    const status = tooLarge ? 413 : 400;
    answer(http.getResponse<FastifyReply>(), { status, code: ProtocolErrorCode.InvalidRequest, message });
  }
}

function isMcp({ url }: FastifyRequest): boolean {
  return url === MCP_PATH || url.startsWith(`${MCP_PATH}?`);
}

function answer(reply: FastifyReply, { status, headers, ...error }: HttpRefusal): void {
  reply.hijack();
  refuse(reply.raw, status, error, headers === undefined ? {} : { headers });
}

/** Nest turns some of Fastify's errors into its own, others arrive as they are. */
function statusOf(exception: unknown): unknown {
  if (exception instanceof HttpException) return exception.getStatus();
  return typeof exception === 'object' && exception !== null && 'statusCode' in exception
    ? exception.statusCode
    : undefined;
}
