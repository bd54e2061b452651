import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { finish } from '../../../src/common/steps.js';
import type { ClientIdentity } from '../../../src/cert/index.js';
import { Deadline } from '../../../src/common/deadline.js';
import type { Failure } from '../../../src/common/error-codes.js';
import { err, ok } from '../../../src/common/result.js';
import { GeminiProtocol, type GeminiOptions } from '../../../src/gemini/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { isObject, type Json, type JsonObject } from '../../support/json.js';
import { FakeDialer, type ScriptedAnswer } from './fake-dialer.js';

/** What stands around the protocol, as a test wants it. */
export interface Surroundings {
  readonly options?: Partial<GeminiOptions>;
  /** What the pin check says. */
  readonly warning?: string | null;
  readonly refusal?: Failure;
  /** What is wrong with the pins before anything is dialled. */
  readonly unready?: Failure;
  readonly identity?: ClientIdentity | Failure;
}

/** A protocol over a scripted dialer. */
export function protocolWith(
  answer: (line: string, port: number) => ScriptedAnswer | Failure | undefined,
  { options, warning = null, refusal, unready, identity }: Surroundings = {},
): { readonly protocol: GeminiProtocol; readonly dialer: FakeDialer } {
  const dialer = new FakeDialer(answer);
  const trust = {
    ready: async () => (unready ? err(unready) : ok(null)),
    verify: async () => (refusal ? err(refusal) : ok({ warning })),
  };
  const identities = {
    forRequest: async () => (identity && 'code' in identity ? err(identity) : ok(identity ?? null)),
  };
  const settings = { maxResponseBytes: 1_048_576, deniedMimeTypes: [], ...options };
  return { protocol: new GeminiProtocol(dialer, trust, identities, settings), dialer };
}

/** One fetch through the protocol alone. */
export interface Fetched {
  /** The payload as far as the protocol makes it. */
  readonly payload: JsonObject;
  /** Request lines that were sent, without CRLF. */
  readonly sent: readonly string[];
}

/** Bounds of 0 are off. */
export interface Bounds {
  readonly maxChars?: number;
  readonly maxBytes?: number;
}

/** Does what the pipeline does around the protocol, without policy, cache, pacing and network. */
export async function fetchThroughProtocol(
  answer: (line: string, port: number) => ScriptedAnswer | Failure | undefined,
  call: { readonly url: string; readonly input?: string; readonly offset?: number },
  surroundings: Surroundings = {},
  { maxChars = 50_000, maxBytes = 262_144 }: Bounds = {},
): Promise<Fetched> {
  const { url, input = null, offset = 0 } = call;
  const { protocol, dialer } = protocolWith(answer, surroundings);
  const failed = ({ code, message, facts }: Failure, info: object): Fetched => ({
    payload: json({ kind: 'error', error: { code, message, ...facts }, request_info: info }),
    sent: dialer.requests,
  });

  const parsed = protocol.parse({ url, answer: input, refresh: false, offset, format: 'full' });
  if (!parsed.ok) return failed(parsed.error, protocol.describeRefused(url));
  const request = parsed.value;
  const deadline = new Deadline(new FakeClock(), 30_000);
  const exchange = await protocol.exchange(request, { principal: LOCAL_PRINCIPAL, addresses: [], deadline });
  deadline.dispose();
  const info = { ...protocol.describe(request), ...exchange.connection };
  if (exchange.kind === 'failure') return failed(exchange.failure, info);
  if (exchange.kind === 'answer') {
    return { payload: json({ ...exchange.members, request_info: info }), sent: dialer.requests };
  }
  const { members } = finish(
    protocol.render(exchange.document, request, {
      offset,
      maxItems: 0,
      maxChars,
      maxBytes,
      format: 'full',
    }),
  );
  const incomplete = { incomplete: exchange.incomplete !== null, incomplete_reason: exchange.incomplete };
  return { payload: json({ ...members, ...incomplete, request_info: info }), sent: dialer.requests };
}

/** As it would arrive. */
function json(value: object): JsonObject {
  const parsed: Json = JSON.parse(JSON.stringify(value));
  if (!isObject(parsed)) throw new Error('a payload is an object');
  return parsed;
}
