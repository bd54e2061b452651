/** The two servers of the demo, on loopback. */
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { answerGemini, MAX_REQUEST_BYTES as MAX_GEMINI_BYTES } from '../core/gemini-site.js';
import { answerGopher, MAX_REQUEST_BYTES as MAX_GOPHER_BYTES } from '../core/gopher-site.js';
import { listen, serveOne, track, type Listening } from './listening.js';

/** What the demo is started with. */
export interface DemoOptions {
  /** 0 = a free one. */
  readonly gopherPort: number;
  /** 0 = a free one. */
  readonly geminiPort: number;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A demo that serves. */
export interface Demo {
  readonly gopherPort: number;
  readonly geminiPort: number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts both servers, or none. Rejects with the system's error when a port is taken. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const open = new Set<Socket>();
  // Pages name both ports; nothing is asked for before both are known.
  let place = { host: HOST, gopherPort: options.gopherPort, geminiPort: options.geminiPort };

  const gopher = createServer((socket) => {
    track(open, socket);
    serveOne(socket, MAX_GOPHER_BYTES, (line) => answerGopher(line, place));
  });
  const gemini = createTlsServer(
    // Client certificates are self-signed: whoever shows one is known by it, nobody vouches for it.
    { cert: options.certificatePem, key: options.privateKeyPem, requestCert: true, rejectUnauthorized: false },
    (socket) => {
      track(open, socket);
      serveOne(socket, MAX_GEMINI_BYTES, (line) => {
        const certificate = socket.getPeerCertificate();
        // Without one it is an empty object.
        const clientFingerprint = 'fingerprint256' in certificate ? certificate.fingerprint256 : null;
        return answerGemini({ line, clientFingerprint }, place);
      });
    },
  );
  // A handshake that fails is the client's business.
  gemini.on('tlsClientError', (_error, socket) => socket.destroy());

  const gopherListening = await listen(gopher, options.gopherPort, open);
  let geminiListening: Listening;
  try {
    geminiListening = await listen(gemini, options.geminiPort, open);
  } catch (error) {
    await gopherListening.close();
    throw error;
  }
  place = { host: HOST, gopherPort: gopherListening.port, geminiPort: geminiListening.port };
  return {
    gopherPort: place.gopherPort,
    geminiPort: place.geminiPort,
    close: async () => {
      await Promise.all([gopherListening.close(), geminiListening.close()]);
    },
  };
}
