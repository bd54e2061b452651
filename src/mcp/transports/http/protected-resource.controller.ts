import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { METADATA_PATH, ProtectedResource } from '../../../auth/index.js';

/**
 * Tells clients of OAuth which authorisation server to ask, at the two places where they look. It is public, also for web pages:
 * a client needs it before it has anything to show.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
@Controller()
export class ProtectedResourceController {
  constructor(@Inject(ProtectedResource) private readonly resource: ProtectedResource | null) {}

  @All(['.well-known/oauth-protected-resource', '.well-known/oauth-protected-resource/*'])
  answer(@Req() { method, url }: FastifyRequest, @Res() reply: FastifyReply): void {
    const path = url.split('?', 1)[0];
    if (this.resource === null || (path !== METADATA_PATH && path !== this.resource.metadataPath)) {
      void reply.code(404).send({ message: 'Not found' });
      return;
    }
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' });
    if (method === 'GET' || method === 'HEAD') void reply.send(this.resource.metadata);
    else if (method === 'OPTIONS') {
      // Clients in a browser add Mcp-Protocol-Version, which makes the browser ask first.
      const allowed = { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': '*' };
      void reply.code(204).headers(allowed).send();
    } else void reply.code(405).header('allow', 'GET, HEAD, OPTIONS').send({ message: 'Method not allowed' });
  }
}
