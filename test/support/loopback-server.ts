/**
 * A TCP or TLS server on a loopback address, and one accepted connection as a test sees it: read until something has
 * arrived, write, then end it in exactly one of the ways in which real servers end theirs.
 */
import { createHash } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureVersion } from 'node:tls';

import type { TestCertificate } from './test-certificates.js';

export interface TlsSettings {
  readonly certificate: TestCertificate;
  /** Default 1.2. */
  readonly minVersion?: SecureVersion;
  /** Default 1.3. */
  readonly maxVersion?: SecureVersion;
  /** Asks for a client certificate and takes any, or none. Default false. */
  readonly asksForCertificate?: boolean;
}

/** How a connection ends: with close_notify where there is TLS, with a bare FIN, or with RST. */
export type Ending = 'clean' | 'abrupt' | 'reset';

/** How long to wait for the client's half of an orderly end. */
const END_WAIT_MS = 1500;
const HANDSHAKE_WAIT_MS = 12_000;
/** Old protocol versions, short keys and SHA-1 signatures need the lowest security level of OpenSSL. */
const ANY_CIPHER = 'DEFAULT:@SECLEVEL=0';

/** The handshake did not complete. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
}

/** One accepted connection. */
export class ServerConnection {
  readonly #raw: Socket;
  readonly #tls: TLSSocket | undefined;
  readonly #stopped: AbortSignal;
  #received = Buffer.alloc(0);
  #clientCertificate: Buffer | undefined;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(raw: Socket, tls: TLSSocket | undefined, stopped: AbortSignal) {
    this.#raw = raw;
    this.#tls = tls;
    this.#stopped = stopped;
    const onEnd = (): void => {
      this.#ended = true;
      this.#wake();
    };
    // Always reading: bytes left in the kernel would turn every end into a reset.
    this.#stream.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.#stream.once('end', onEnd);
    this.#stream.once('close', onEnd);
    stopped.addEventListener('abort', onEnd, { once: true });
  }

  /** The server name that the client sent; null when it sent none or there is no TLS. */
  get serverName(): string | null {
    const name: unknown = this.#tls?.servername;
    return typeof name === 'string' && name !== '' ? name : null;
  }

  /** Whether the client presented a certificate. */
  get hasClientCertificate(): boolean {
    return this.clientFingerprint !== null;
  }

  /** SHA-256 of the certificate that the client presented, lowercase hex; null when it presented none. */
  get clientFingerprint(): string | null {
    // Node gives the certificate once.
    const raw = this.#clientCertificate ?? this.#tls?.getPeerX509Certificate()?.raw;
    this.#clientCertificate = raw;
    return raw === undefined ? null : createHash('sha256').update(raw).digest('hex');
  }

  /** Whether nobody is there to write to any more. */
  get isGone(): boolean {
    return this.#raw.destroyed || this.#stopped.aborted;
  }

  /** What has arrived as soon as `isComplete` says so, or the connection ended. */
  async readUntil(isComplete: (received: Buffer) => boolean): Promise<{ bytes: Buffer; complete: boolean }> {
    for (;;) {
      if (isComplete(this.#received)) return { bytes: this.#received, complete: true };
      if (this.#ended) return { bytes: this.#received, complete: false };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the client has ended its side, or the connection is gone. */
  async clientEnded(): Promise<void> {
    await this.readUntil(() => false);
  }

  /** Resolves when the bytes have been handed to the kernel, or can no longer be. */
  write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stream = this.#stream;
      if (!stream.writable) {
        resolve();
        return;
      }
      const done = (): void => {
        stream.off('close', done);
        resolve();
      };
      stream.once('close', done);
      stream.write(bytes, done);
    });
  }

  /** Resolves after `delayMs`, at once when the server stops or the connection is gone. */
  async pause(delayMs: number): Promise<void> {
    if (delayMs <= 0 || this.isGone) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#stopped.removeEventListener('abort', done);
        this.#raw.off('close', done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      this.#stopped.addEventListener('abort', done, { once: true });
      this.#raw.once('close', done);
    });
  }

  async end(how: Ending): Promise<void> {
    if (how === 'reset') {
      this.#raw.resetAndDestroy();
      return;
    }
    if (how === 'abrupt') {
      // Beneath TLS: ending the TLS socket would send close_notify.
      this.#raw.destroy();
      return;
    }
    this.#stream.end();
    const timer = setTimeout(() => this.#raw.destroy(), END_WAIT_MS);
    await this.clientEnded();
    clearTimeout(timer);
    this.#raw.destroySoon();
  }

  get #stream(): Socket {
    return this.#tls ?? this.#raw;
  }
}

/** What a server does with one connection; rejections end the connection. */
export type ConnectionHandler = (connection: ServerConnection) => Promise<void>;

/** What is settled the moment a connection arrives. */
export interface Reception {
  readonly tls: TlsSettings | undefined;
  readonly handle: ConnectionHandler;
  /** Called instead of `handle` when the handshake fails. */
  readonly onHandshakeFailure?: () => void;
}

/** Accepts connections; `receive` is asked at each one what to do with it, so behaviour can change between two. */
export class LoopbackServer {
  readonly #server: Server;
  readonly #stop = new AbortController();
  readonly #connections = new Set<Socket>();
  #accepted = 0;

  private constructor(receive: () => Reception) {
    // Every connection waits for it.
    setMaxListeners(0, this.#stop.signal);
    this.#server = createServer({ allowHalfOpen: true }, (raw) => {
      this.#accepted += 1;
      this.#connections.add(raw);
      raw.once('close', () => this.#connections.delete(raw));
      raw.on('error', () => undefined);
      void this.#serve(raw, receive());
    });
  }

  /** Listens on `host`; port 0 takes a free one. Rejects with the system's error when the address is not to be had. */
  static async listen(host: string, port: number, receive: () => Reception): Promise<LoopbackServer> {
    const server = new LoopbackServer(receive);
    server.#server.listen({ host, port, backlog: 64 });
    await once(server.#server, 'listening');
    server.#server.on('error', () => undefined);
    return server;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return address.port;
  }

  /** How many TCP connections have arrived. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Stops listening and drops every connection. */
  async close(): Promise<void> {
    this.#stop.abort();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const raw of this.#connections) raw.destroy();
    await closed;
  }

  async #serve(raw: Socket, { tls, handle, onHandshakeFailure }: Reception): Promise<void> {
    let connection: ServerConnection;
    try {
      const secured = tls === undefined ? undefined : await secure(raw, tls);
      connection = new ServerConnection(raw, secured, this.#stop.signal);
    } catch (error) {
      raw.destroy();
      if (!(error instanceof HandshakeError)) throw error;
      onHandshakeFailure?.();
      return;
    }
    try {
      await handle(connection);
    } finally {
      raw.destroySoon();
    }
  }
}

async function secure(raw: Socket, settings: TlsSettings): Promise<TLSSocket> {
  const { certificate, minVersion = 'TLSv1.2', maxVersion = 'TLSv1.3' } = settings;
  const tls = new TLSSocket(raw, {
    isServer: true,
    secureContext: createSecureContext({
      cert: certificate.certPem,
      key: certificate.keyPem,
      ciphers: ANY_CIPHER,
      minVersion,
      maxVersion,
    }),
    requestCert: settings.asksForCertificate ?? false,
    rejectUnauthorized: false,
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (): void => {
      clearTimeout(timer);
      reject(new HandshakeError('the handshake did not complete'));
    };
    const timer = setTimeout(() => raw.destroy(), HANDSHAKE_WAIT_MS);
    tls.once('secure', () => {
      clearTimeout(timer);
      resolve();
    });
    tls.once('close', fail);
    tls.on('error', fail);
  });
  return tls;
}
