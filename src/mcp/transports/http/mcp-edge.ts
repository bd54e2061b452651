/** The checks in front of the MCP endpoints, before a body is read: see request-checks.ts for what and why. */
import { Catch, HttpException, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallObserver, TurnedAway } from '../../../common/call-observer.port.js';
import type { Authentication } from './authentication.js';
import { clientAddress } from './client-address.js';
import type { HostPolicy } from './host-policy.js';
import { refuse } from './reply.js';
import {
  checkHost,
  checkMcp,
  checkMessages,
  checkSse,
  type EnvelopeCheck,
  type HttpRefusal,
} from './request-checks.js';

/** Routes that belong to MCP; everything else is outside the Host check. */
const CHECKS: ReadonlyMap<string, EnvelopeCheck> = new Map([
  ['/mcp', checkMcp],
  ['/sse', checkSse],
  ['/messages', checkMessages],
]);

/**
 * Installs the checks: Host and Origin, then who is calling, then the envelope. Whoever may not call learns nothing of what a call
 * should look like.
 *
 * @param observer is told who was not let in
 */
export function guardMcpEndpoints(
  fastify: FastifyInstance,
  policy: HostPolicy,
  authentication: Authentication,
  observer?: CallObserver,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const check = checkOf(request);
    if (check === undefined) return done();
    const proceed = (refused: HttpRefusal | undefined): void => {
      const wrong = refused ?? check(request.method, request.headers);
      if (wrong) answer(reply, wrong);
      else done();
    };
    const misdirected = checkHost(request.headers, policy);
    if (misdirected || !authentication.isOn) proceed(misdirected);
    else {
      const judged = (refused: HttpRefusal | undefined): void => {
        if (refused) observer?.turnedAway?.(turnedAway(request, refused));
        proceed(refused);
      };
      authentication.check(request.raw).then(judged, done);
    }
  });
}

/** What whoever records calls is told of a caller that is refused; the message of a refusal says nothing of the credential. */
function turnedAway(request: FastifyRequest, { status, message }: HttpRefusal): TurnedAway {
  return {
    why: status === 403 ? 'authorisation' : 'authentication',
    reason: message,
    status,
    origin: { address: clientAddress(request), requestId: request.id },
  };
}

/** Turns what Fastify refuses at an MCP endpoint (a body that is too large or cut short) into JSON-RPC errors. */
@Catch()
export class McpEdgeFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (!checkOf(http.getRequest<FastifyRequest>())) {
      super.catch(exception, host);
      return;
    }
    const tooLarge = statusOf(exception) === 413;
    const message = tooLarge ? 'The request is larger than this server takes.' : 'The request could not be read.';
    const status = tooLarge ? 413 : 400;
    answer(http.getResponse<FastifyReply>(), { status, code: ProtocolErrorCode.InvalidRequest, message });
  }
}

/** By the route that was found, not by the URL: one path can be spelled in several ways. */
function checkOf({ routeOptions }: FastifyRequest): EnvelopeCheck | undefined {
  return CHECKS.get(routeOptions.url ?? '');
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
