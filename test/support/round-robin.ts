/** A balancer that hands every HTTP request to another server, one after the other. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** See the file's header. */
export class RoundRobin {
  /** Which server got which request, in order: `2 tools/call`. */
  readonly handed: string[] = [];
  readonly #server: Server;
  #next = 0;

  private constructor(private readonly origins: readonly string[]) {
    this.#server = createServer((incoming, outgoing) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('end', () => {
        const body = Buffer.concat(pieces);
        const index = this.#next++ % this.origins.length;
        this.handed.push(`${index} ${incoming.method} ${methodOf(body)}`);
        const { method, url = '/', headers } = incoming;
        const onward = request(`${this.origins[index]}${url}`, { method: method ?? 'GET', headers, agent: false });
        onward.on('response', (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          outgoing.flushHeaders();
          answer.pipe(outgoing);
          answer.on('error', () => outgoing.destroy());
        });
        onward.on('error', () => {
          if (outgoing.headersSent) outgoing.destroy();
          else outgoing.writeHead(502).end();
        });
        outgoing.on('close', () => onward.destroy());
        onward.end(body);
      });
    });
  }

  /** Listens on a free loopback port. */
  static async start(origins: readonly string[]): Promise<RoundRobin> {
    const balancer = new RoundRobin(origins);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

function methodOf(body: Buffer): string {
  try {
    return String(JSON.parse(body.toString()).method ?? 'answer');
  } catch {
    return '';
  }
}
