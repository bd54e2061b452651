/** What both demo servers do with a connection: read one line, answer, close. */
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import type { Answer } from '../core/sample.js';

/** Time that a client has for its request, in milliseconds. */
const REQUEST_WITHIN_MS = 10_000;

/** A server on loopback. */
export interface Listening {
  readonly port: number;
  /** Ends it with all its connections. */
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1; 0 takes a free one. Rejects with the system's error. */
export async function listen(server: Server, port: number, open: ReadonlySet<Socket>): Promise<Listening> {
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return {
    port: address.port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Keeps the set of open connections. */
export function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
}

/** Reads one line of at most `maxBytes` and sends what `answer` gives for it. A client that sends more, or nothing, is cut off. */
export function serveOne(socket: Socket, maxBytes: number, answer: (line: string) => Answer): void {
  let received = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  socket.on('error', () => socket.destroy());
  socket.setTimeout(REQUEST_WITHIN_MS, () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\n');
    if (end === -1 && received.length <= maxBytes) return;
    socket.off('data', onData);
    if (end === -1 || end >= maxBytes) {
      socket.destroy();
      return;
    }
    const { body, delayMs = 0 } = answer(received.toString('utf8', 0, end).replace(/\r$/, ''));
    if (delayMs === 0) socket.end(body);
    else timer = setTimeout(() => socket.end(body), delayMs);
    // What else a client sends is read and dropped, so that its end is noticed.
    socket.resume();
  };
  socket.on('data', onData);
}
