import { Injectable, MethodNotAllowedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Lets GET and HEAD pass; everything else is told so, with 405. */
@Injectable()
export class ReadingOnlyGuard implements CanActivate {
  /** @throws MethodNotAllowedException */
  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const { method } = http.getRequest<FastifyRequest>();
    if (method === 'GET' || method === 'HEAD') return true;
    http.getResponse<FastifyReply>().header('allow', 'GET, HEAD');
    throw new MethodNotAllowedException();
  }
}
