/** A TCP server whose connections a test handles byte by byte, for whatever no orderly server does. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket, type SecureVersion } from 'node:tls';
import type { TestCertificate } from './test-certificates.js';

/** What is done with an accepted connection; the socket reads from the start and its errors are ignored. */
export type SocketHandler = (socket: Socket) => void;

/** See the file's header. */
export class RawServer {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #accepted = 0;

  private constructor(handle: SocketHandler) {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#accepted += 1;
      this.#open.add(socket);
      socket.on('error', () => undefined).once('close', () => this.#open.delete(socket));
      handle(socket);
    });
  }

  /** Listens; port 0 takes a free one. */
  static async listen(handle: SocketHandler, host = '127.0.0.1', port = 0): Promise<RawServer> {
    const server = new RawServer(handle);
    server.#server.listen(port, host);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many connections have arrived. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Stops listening and drops every connection. */
  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export interface TlsOverOptions {
  readonly certificate: TestCertificate;
  readonly version?: SecureVersion;
  /** Bytes that go out to the client; what comes later is swallowed. */
  readonly outBytes?: number;
}

/** The server's side of TLS over a socket, and the wire between the two, on which a test can lay hands. */
export interface TlsOver {
  readonly tls: TLSSocket;
  /** Gives bytes to the server's TLS as if the client had sent them. */
  readonly inject: (bytes: Buffer) => void;
}

/** Speaks TLS as a server. */
export function tlsOver(socket: Socket, { certificate, version, outBytes = Infinity }: TlsOverOptions): TlsOver {
  let left = outBytes;
  const wire = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => {
      const sent = chunk.subarray(0, left);
      left -= sent.length;
      if (sent.length === 0 || !socket.writable) done();
      else socket.write(sent, () => done());
    },
    final: (done) => {
      if (left > 0 && socket.writable) socket.end();
      done();
    },
  });
  socket.on('data', (chunk: Buffer) => wire.push(chunk)).once('end', () => wire.push(null));
  const tls = new TLSSocket(wire, {
    isServer: true,
    secureContext: createSecureContext({
      cert: certificate.certPem,
      key: certificate.keyPem,
      // Old versions of the protocol need the lowest level of OpenSSL.
      ciphers: 'DEFAULT:@SECLEVEL=0',
      ...(version && { minVersion: version, maxVersion: version }),
    }),
  });
  tls.on('error', () => undefined).once('close', () => socket.end());
  socket.once('close', () => tls.destroy());
  return { tls, inject: (bytes) => void wire.push(bytes) };
}
