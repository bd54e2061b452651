/** Serves exactly the bytes of one wire case, and records what it was sent. */
import { LoopbackServer, type Reception, type ServerConnection } from './loopback-server.js';
import { testCertificate, type TestCertificate } from './test-certificates.js';
import type { WireCase, WireProfile, WireReply, WireServerSpec, WireTls } from './wire-case-format.js';

/** A request that reached the server. */
export interface WireHit {
  readonly bytes: Buffer;
  readonly serverName: string | null;
  /** Null: the client presented no certificate. */
  readonly clientFingerprint: string | null;
}

/** A request line longer than this is taken as it is. */
const MAX_REQUEST_BYTES = 70_000;
/** How long a stalled or dripping connection stays open. */
const HOLD_MS = 20_000;
const DRIP_EVERY_MS = 200;
const SPLIT_PAUSE_MS = 30;
const RESET_PAUSE_MS = 50;

const NO_ROBOTS: Readonly<Record<WireCase['protocol'], string>> = {
  gemini: '51 no such file\r\n',
  gopher: '3no such file\t\terror.host\t1\r\n.\r\n',
};

export interface WireServerOptions {
  readonly protocol: WireCase['protocol'];
  readonly profile: WireProfile;
  /** The address to listen on. */
  readonly address: string;
  /** How URLs name it. */
  readonly urlHost: string;
}

export class WireCaseServer {
  readonly #options: WireServerOptions;
  readonly #hits: WireHit[] = [];
  #spec: WireServerSpec = {};
  #certificate: TestCertificate | undefined;
  #server: LoopbackServer | undefined;
  #port = 0;

  private constructor(options: WireServerOptions) {
    this.#options = options;
  }

  static async start(options: WireServerOptions): Promise<WireCaseServer> {
    const made = new WireCaseServer(options);
    made.#server = await LoopbackServer.listen(options.address, 0, () => made.#receive());
    made.#port = made.#server.port;
    return made;
  }

  get port(): number {
    return this.#port;
  }

  /** Requests so far, robots probes included. */
  get hits(): readonly WireHit[] {
    return this.#hits;
  }

  /** Fingerprint of the certificate served now, as results show it. */
  get fingerprint(): string | null {
    return this.#certificate === undefined ? null : `sha256:${this.#certificate.fingerprint}`;
  }

  /** Changes what is served from the next connection on. With `refuse`, nothing listens any more. */
  async serve(spec: WireServerSpec): Promise<void> {
    this.#spec = spec;
    const usesTls = this.#options.protocol === 'gemini' && spec.tls?.plain !== true;
    this.#certificate = usesTls ? await certificateOf(spec.tls ?? {}) : undefined;
    if (spec.refuse === true) await this.close();
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  #receive(): Reception {
    const [spec, certificate] = [this.#spec, this.#certificate];
    const { min, max, client_cert } = spec.tls ?? {};
    return {
      tls: certificate && {
        certificate,
        minVersion: `TLSv${min ?? '1.2'}`,
        maxVersion: `TLSv${max ?? '1.3'}`,
        asksForCertificate: client_cert === 'optional',
      },
      handle: (connection) => this.#exchange(connection, spec),
    };
  }

  async #exchange(connection: ServerConnection, spec: WireServerSpec): Promise<void> {
    let reply: WireReply = spec;
    if (spec.when !== 'before_request') {
      const { bytes } = await connection.readUntil(
        (received) => received.includes('\n') || received.length >= MAX_REQUEST_BYTES,
      );
      if (bytes.length > 0) {
        const { serverName, clientFingerprint } = connection;
        this.#hits.push({ bytes, serverName, clientFingerprint });
      }
      reply = this.#choose(bytes, spec);
    }
    await writeInPieces(connection, this.#body(reply), reply.split_at ?? []);
    await finish(connection, reply.close ?? 'clean');
  }

  #choose(request: Buffer, spec: WireServerSpec): WireReply {
    const path = pathOf(request.toString('utf8').split(/\r?\n/, 1)[0] ?? '', this.#options.protocol);
    const route = spec.routes?.[path];
    if (route !== undefined) return route;
    if (path === '/robots.txt' && this.#options.profile === 'robots') {
      return { response_text: NO_ROBOTS[this.#options.protocol] };
    }
    return spec;
  }

  #body(reply: WireReply): Buffer {
    const { response_b64, response_repeat: repeat, response_text } = reply;
    let bytes = Buffer.from(response_text ?? '');
    if (response_b64 !== undefined) bytes = Buffer.from(response_b64, 'base64');
    else if (repeat !== undefined) {
      bytes = Buffer.from((repeat.prefix ?? '') + repeat.unit.repeat(repeat.count) + (repeat.suffix ?? ''));
    }
    // Latin-1 keeps every byte of a body that is not UTF-8.
    const filled = bytes
      .toString('latin1')
      .replaceAll('{HOST}', this.#options.urlHost)
      .replaceAll('{PORT}', String(this.#port));
    return Buffer.from(filled, 'latin1');
  }
}

function pathOf(line: string, protocol: WireCase['protocol']): string {
  if (protocol === 'gopher') return line.split('\t', 1)[0] ?? '';
  return /^[a-zA-Z]+:\/\/[^/?#]*([^?#]*)/.exec(line)?.[1] ?? line;
}

function certificateOf(tls: WireTls): Promise<TestCertificate> {
  return testCertificate({
    key: tls.key ?? 'ec',
    subject: `CN=${tls.cn ?? 'case.test'}`,
    notBeforeDays: tls.not_before_days ?? -30,
    notAfterDays: tls.not_after ?? tls.not_after_days ?? 365,
    ...(tls.key_id === undefined ? {} : { keyId: tls.key_id }),
  });
}

async function writeInPieces(connection: ServerConnection, bytes: Buffer, cuts: readonly number[]): Promise<void> {
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    if (start > 0) await connection.pause(SPLIT_PAUSE_MS);
    await connection.write(bytes.subarray(start, end));
    start = end;
  }
}

async function finish(connection: ServerConnection, close: NonNullable<WireReply['close']>): Promise<void> {
  switch (close) {
    case 'clean':
      return connection.end('clean');
    case 'abort':
      return connection.end('abrupt');
    case 'reset':
      await connection.pause(RESET_PAUSE_MS);
      return connection.end('reset');
    case 'stall':
      await Promise.race([connection.clientEnded(), connection.pause(HOLD_MS)]);
      return connection.end('clean');
    case 'drip':
      for (let leftMs = HOLD_MS; leftMs > 0 && !connection.isGone; leftMs -= DRIP_EVERY_MS) {
        await connection.write(Buffer.from('x'));
        await connection.pause(DRIP_EVERY_MS);
      }
      return connection.end('clean');
  }
}
