import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { finish } from '../../../src/common/steps.js';
import { Deadline } from '../../../src/common/deadline.js';
import { GopherProtocol } from '../../../src/gopher/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { isObject, type Json, type JsonObject } from '../../support/json.js';
import { FakeDialer, type ScriptedAnswer } from './fake-dialer.js';

/** One fetch through the protocol alone. */
export interface Fetched {
  /** The payload as far as the protocol makes it. */
  readonly payload: JsonObject;
  /** Request lines that were sent, without CRLF. */
  readonly sent: readonly Buffer[];
}

/** Settings that a test may change; bounds of 0 are off. */
export interface DriverSettings {
  readonly maxResponseBytes?: number;
  readonly maxItems?: number;
  readonly maxChars?: number;
  readonly maxBytes?: number;
}

/** Does what the pipeline does around the protocol, without policy, cache, pacing and network. */
export async function fetchThroughProtocol(
  answer: (line: Buffer, port: number) => ScriptedAnswer | undefined,
  call: { readonly url: string; readonly search?: string; readonly offset?: number },
  settings: DriverSettings = {},
): Promise<Fetched> {
  const { url, search = null, offset = 0 } = call;
  const { maxResponseBytes = 1_048_576, maxItems = 1000, maxChars = 50_000, maxBytes = 262_144 } = settings;
  const dialer = new FakeDialer(answer);
  const protocol = new GopherProtocol(dialer, { maxResponseBytes, maxSelectorLength: 1024, maxSearchLength: 256 });
  const failed = (
    { code, message, facts }: { code: string; message: string; facts: object },
    info: object,
  ): Fetched => ({
    payload: json({ kind: 'error', error: { code, message, ...facts }, request_info: info }),
    sent: dialer.requests,
  });

  const parsed = protocol.parse({ url, answer: search, refresh: false, offset, format: 'full' });
  if (!parsed.ok) return failed(parsed.error, protocol.describeRefused(url));
  const request = parsed.value;
  const info = protocol.describe(request);
  const refusal = protocol.refuse(request);
  if (refusal) return failed(refusal, info);

  const deadline = new Deadline(new FakeClock(), 30_000);
  const exchange = await protocol.exchange(request, { principal: LOCAL_PRINCIPAL, addresses: [], deadline });
  deadline.dispose();
  if (exchange.kind === 'answer') throw new Error('Gopher has no answers of this kind');
  if (exchange.kind === 'failure') return failed(exchange.failure, info);
  const bounds = { offset, maxItems, maxChars, maxBytes, format: 'full' as const };
  const { members } = finish(protocol.render(exchange.document, request, bounds));
  const incomplete = { incomplete: exchange.incomplete !== null, incomplete_reason: exchange.incomplete };
  return { payload: json({ ...members, ...incomplete, request_info: info }), sent: dialer.requests };
}

/** As it would arrive. */
function json(value: object): JsonObject {
  const parsed: Json = JSON.parse(JSON.stringify(value));
  if (!isObject(parsed)) throw new Error('a payload is an object');
  return parsed;
}
