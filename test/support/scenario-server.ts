/** The Gopher or Gemini server of a recorded scenario, on a port of ours. */
import { isObject, type Json } from './json.js';
import type { ConnectionHandler, LoopbackServer, Reception, ServerConnection } from './loopback-server.js';
import { listenOnPortLike } from './ports.js';
import type { ScenarioReply, ScenarioResponse, ScenarioServerSpec, WireLine } from './scenario-format.js';
import { testCertificate, type TestCertificate } from './test-certificates.js';

/** The certificates that scenarios name. */
export type ScenarioCertificates = ReadonlyMap<string, TestCertificate>;

const SUBJECT = 'CN=127.0.0.1';
/** A plain server writes at once and closes after this time. */
const PLAIN_LINGER_MS = 300;

const DEFAULT_REPLIES: Readonly<Record<ScenarioServerSpec['protocol'], ScenarioReply>> = {
  gopher: { text: '3nope\t\terror.host\t1\r\n.\r\n' },
  gemini: { text: '51 nope\r\n' },
};

/** Self-signed EC P-256 certificates by the names that scenarios use. */
export async function scenarioCertificates(): Promise<ScenarioCertificates> {
  const periods = { A: [-1, 365], B: [-1, 365], expired: [-30, -2], future: [2, 365] } as const;
  const made = Object.entries(periods).map(async ([name, [notBeforeDays, notAfterDays]]) => {
    const options = { subject: SUBJECT, notBeforeDays, notAfterDays, label: `scenario ${name}` };
    return [name, await testCertificate(options)] as const;
  });
  return new Map(await Promise.all(made));
}

/** Serves one spec at a time; keeps the request lines by the step in which their connection arrived. */
export class ScenarioServer {
  readonly #certificates: ScenarioCertificates;
  readonly #lines = new Map<number, WireLine[]>();
  #step = -1;
  #behaviour: Behaviour;
  #server: LoopbackServer | undefined;

  private constructor(certificates: ScenarioCertificates, spec: ScenarioServerSpec) {
    this.#certificates = certificates;
    this.#behaviour = { spec, responses: remaining(spec) };
  }

  /** Listens on a free port with as many digits as the recorded one. */
  static async start(certificates: ScenarioCertificates, spec: ScenarioServerSpec): Promise<ScenarioServer> {
    const server = new ScenarioServer(certificates, spec);
    server.#server = await listenOnPortLike(spec.port, spec.bind ?? '127.0.0.1', () => server.#receive());
    return server;
  }

  get port(): number {
    return this.#server?.port ?? 0;
  }

  /** Changes what is served from the next connection on. */
  serve(spec: ScenarioServerSpec): void {
    this.#behaviour = { spec, responses: remaining(spec) };
  }

  /** Connections from now on belong to this step. */
  enterStep(step: number): void {
    this.#step = step;
  }

  /** Request lines that arrived in a step; an empty one where no request was completed. */
  lines(step: number): readonly WireLine[] {
    return this.#lines.get(step) ?? [];
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  #receive(): Reception {
    const { spec } = this.#behaviour;
    const [step, behaviour] = [this.#step, this.#behaviour];
    const record = (line: WireLine): void => {
      this.#lines.set(step, [...this.lines(step), line]);
    };
    const usesTls = spec.protocol === 'gemini' && spec.plain !== true;
    return {
      tls: usesTls ? this.#tlsSettings(spec) : undefined,
      handle:
        spec.plain_immediate === true ? writeAtOnce(spec) : (connection) => exchange(connection, behaviour, record),
      onHandshakeFailure: () => record(''),
    };
  }

  #tlsSettings(spec: ScenarioServerSpec): Reception['tls'] {
    const certificate = this.#certificates.get(spec.cert ?? 'A');
    if (certificate === undefined) throw new Error(`there is no certificate ${spec.cert}`);
    return {
      certificate,
      minVersion: spec.tls_max === '1.1' ? 'TLSv1' : 'TLSv1.2',
      maxVersion: spec.tls_max === undefined ? 'TLSv1.3' : `TLSv${spec.tls_max}`,
      asksForCertificate: spec.ask_cert ?? false,
    };
  }
}

interface Behaviour {
  readonly spec: ScenarioServerSpec;
  readonly responses: readonly { readonly response: ScenarioResponse; usesLeft: number }[];
}

function remaining(spec: ScenarioServerSpec): Behaviour['responses'] {
  return (spec.responses ?? []).map((response) => ({ response, usesLeft: response.times ?? Infinity }));
}

function writeAtOnce(spec: ScenarioServerSpec): ConnectionHandler {
  return async (connection) => {
    await connection.write(bodyOf(spec.default ?? {}));
    await connection.pause(PLAIN_LINGER_MS);
  };
}

async function exchange(
  connection: ServerConnection,
  behaviour: Behaviour,
  record: (line: WireLine) => void,
): Promise<void> {
  const { bytes, complete } = await connection.readUntil((received) => received.subarray(-2).equals(CRLF));
  if (!complete) {
    record(behaviour.spec.protocol === 'gemini' ? '' : '<closed before the request was complete>');
    return;
  }
  const line = bytes.subarray(0, -2);
  record(wireLine(line));
  const reply = choose(behaviour, line);
  await connection.pause((reply.delay_s ?? 0) * 1000);
  await connection.write(bodyOf(reply));
  if (reply.close === 'hold') await connection.pause((reply.hold_s ?? 0) * 1000);
  await connection.end(reply.close === 'abrupt' ? 'abrupt' : 'clean');
}

const CRLF = Buffer.from('\r\n');

function choose({ spec, responses }: Behaviour, line: Buffer): ScenarioReply {
  for (const entry of responses) {
    if (entry.usesLeft > 0 && lineBytes(entry.response.request).equals(line)) {
      entry.usesLeft -= 1;
      return entry.response;
    }
  }
  return spec.default ?? DEFAULT_REPLIES[spec.protocol];
}

function bodyOf(reply: ScenarioReply): Buffer {
  const once = reply.text === undefined ? Buffer.from(reply.b64 ?? '', 'base64') : Buffer.from(reply.text);
  return Buffer.concat(Array<Buffer>(reply.repeat ?? 1).fill(once));
}

function lineBytes(line: WireLine): Buffer {
  return typeof line === 'string' ? Buffer.from(line) : Buffer.from(line.b64, 'base64');
}

/** A line as scenarios write it: text, or base64 when it is not UTF-8. */
function wireLine(line: Buffer): WireLine {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    return { b64: line.toString('base64') };
  }
}

/** Request lines in comparable form: a failed handshake is a connection without a request as well. */
export function comparableLines(lines: readonly WireLine[], anyOrder: boolean): readonly Json[] {
  const plain = lines.map((line): Json =>
    typeof line === 'string' && line.startsWith('<handshake-error') ? '' : line,
  );
  return anyOrder ? plain.map((line) => JSON.stringify(isObject(line) ? line['b64'] : line)).sort() : plain;
}
