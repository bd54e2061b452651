import { failure, type Failure } from '../../../src/common/error-codes.js';
import { err, ok, type Result } from '../../../src/common/result.js';
import type { ReadEnd } from '../../../src/gemini/core/response-reader.js';
import type { TlsAnswer, TlsDial, TlsDialer } from '../../../src/gemini/index.js';
import type { ServerCertificate } from '../../../src/gemini/tls-dialer.port.js';

/** What a scripted server does with one request line. */
export interface ScriptedAnswer {
  readonly bytes: Buffer;
  /** `abrupt`: without close_notify; `open`: it stays connected; `late`: nothing arrives before the deadline. */
  readonly close: 'clean' | 'abrupt' | 'open' | 'late' | 'reset';
  /** Default TLSv1.3. */
  readonly version?: string;
}

/** The certificate of every scripted server. */
export const SERVER_CERTIFICATE: ServerCertificate = {
  fingerprint: 'a1'.repeat(32),
  spki: 'b2'.repeat(32),
  notBeforeMs: 0,
  notAfterMs: Date.UTC(2030, 0, 1),
};

/** A dialer without a network: answers come from a table, through the real reader; requests are noted. */
export class FakeDialer implements TlsDialer {
  /** Request lines that a server was sent, without CRLF. */
  readonly requests: string[] = [];
  readonly dials: TlsDial[] = [];

  /** @param answer undefined = nobody listens; a failure is what the dial gives */
  constructor(private readonly answer: (line: string, port: number) => ScriptedAnswer | Failure | undefined) {}

  async dial(dial: TlsDial): Promise<Result<TlsAnswer, Failure>> {
    const line = dial.request.slice(0, -2);
    this.dials.push(dial);
    const answer = this.answer(line, dial.port);
    if (answer === undefined) return broken('refused');
    if ('code' in answer) return err(answer);
    const refusal = await dial.admit(SERVER_CERTIFICATE);
    if (refusal) return err(refusal);
    this.requests.push(line);
    const { bytes, close, version = 'TLSv1.3' } = answer;
    const state = close === 'late' ? 'more' : dial.reader.push(bytes);
    if (close === 'reset' && state !== 'done') return broken('reset');
    const read = dial.reader.finish(state === 'full' && close === 'open' ? 'overlong' : ENDS[close]);
    if (read === null) return broken('timeout');
    if (!read.ok) return read;
    const connection = { version, cipher: 'TLS_AES_256_GCM_SHA384', fingerprint: SERVER_CERTIFICATE.fingerprint };
    return ok({ connection, response: read.value });
  }
}

const ENDS: Readonly<Record<ScriptedAnswer['close'], ReadEnd>> = {
  clean: 'closed',
  abrupt: 'cut',
  open: 'expired',
  late: 'expired',
  reset: 'cut',
};

function broken(reason: 'refused' | 'reset' | 'timeout'): { readonly ok: false; readonly error: Failure } {
  return err(failure('FETCH_ERROR', `scripted: ${reason}`, { reason }));
}
