import { failure } from '../../../src/common/error-codes.js';
import { ResponseReader, type Ending, type ReaderState } from '../../../src/gopher/core/response-reader.js';
import type { GopherDial, GopherDialer, GopherTransfer } from '../../../src/gopher/index.js';

/** What a scripted server does with one request line. */
export interface ScriptedAnswer {
  readonly body: Buffer;
  /** `open`: the server stays connected; `reset`: it breaks off; `late`: nothing arrives before the deadline. */
  readonly close: 'normal' | 'open' | 'reset' | 'late';
}

/** A dialer without a network: answers come from a table, through the real reader; requests are noted. */
export class FakeDialer implements GopherDialer {
  /** Request lines that a server was sent, without CRLF. */
  readonly requests: Buffer[] = [];
  readonly dials: GopherDial[] = [];

  /** @param answer undefined = nobody listens */
  constructor(private readonly answer: (line: Buffer, port: number) => ScriptedAnswer | undefined) {}

  dial(dial: GopherDial): Promise<GopherTransfer> {
    const line = dial.request.subarray(0, -2);
    this.dials.push(dial);
    const answer = this.answer(line, dial.port);
    if (!answer) return failed('refused');
    this.requests.push(line);
    const reader = new ResponseReader(dial.framing, dial.maxBytes);
    const state: ReaderState = answer.body.length > 0 && answer.close !== 'late' ? reader.push(answer.body) : 'more';
    const read = reader.finish(endingOf(answer, state));
    if (read) return Promise.resolve({ kind: 'body', ...read });
    return failed(answer.close === 'reset' ? 'reset' : 'timeout');
  }
}

function failed(reason: 'refused' | 'reset' | 'timeout'): Promise<GopherTransfer> {
  return Promise.resolve({ kind: 'failure', failure: failure('FETCH_ERROR', `scripted: ${reason}`, { reason }) });
}

function endingOf({ close }: ScriptedAnswer, state: ReaderState): Ending {
  if (close === 'reset') return 'broken';
  if (close === 'normal' || state === 'done') return 'closed';
  return state === 'silence' ? 'silence' : 'expired';
}
