/** A Gemini capsule that says who it sees: each page names the client certificate that was presented, and the number of the request. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { testCertificate } from './test-certificates.js';

/** See the file's header. A page below `/held/` is answered when {@link letGo} is called. */
export class AskingCapsule {
  /** Paths asked for, in order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  #held: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<AskingCapsule> {
    const { certPem: cert, keyPem: key } = await testCertificate({ label: 'asking capsule' });
    const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false });
    const capsule = new AskingCapsule(server);
    server.on('secureConnection', (socket) => capsule.#serve(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return capsule;
  }

  /** `gemini://127.0.0.1:port` */
  get origin(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `gemini://127.0.0.1:${address.port}`;
  }

  /** Answers everything that is held. */
  letGo(): void {
    for (const answer of this.#held) answer();
    this.#held = [];
  }

  async close(): Promise<void> {
    this.letGo();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: TLSSocket): void {
    socket.on('error', () => undefined);
    socket.once('data', (line) => {
      const { pathname } = new URL(String(line).trim());
      const times = this.asked.push(pathname);
      const { raw } = socket.getPeerCertificate();
      // Node gives an empty object where there is no certificate.
      const seen = raw instanceof Buffer ? createHash('sha256').update(raw).digest('hex') : 'nobody';
      const answer = (): void => void socket.end(`20 text/plain\r\nasked ${times} seen ${seen}\n${FILLER}`);
      if (pathname.startsWith('/held/')) this.#held.push(answer);
      else answer();
    });
  }
}

/** Makes every page longer than the windows of the tests. */
const FILLER = 'x'.repeat(500);
