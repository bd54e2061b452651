import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches which connections of `server` have no request under way. Node closes such a connection at a stop only when it has
 * carried a request before; one that a client opened in advance would hold the stop up for a minute.
 *
 * @returns ends the unused connections, and from then on each new one and each that falls unused
 */
export function watchUnused(server: Server): () => void {
  const unused = new Set<Socket>();
  let closing = false;
  const release = (socket: Socket): void => {
    if (closing) socket.destroySoon();
    else if (!socket.destroyed) unused.add(socket);
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => unused.delete(socket));
    release(socket);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    response.once('close', () => release(socket));
  });
  return () => {
    closing = true;
    for (const socket of unused) socket.destroy();
  };
}
