/**
 * The recorded answers of gopher-mcp 0.10, step by step, against the protocol alone: what is sent, what is made of the
 * answer, what is echoed. Differences are fine only where the deviations that go with the recordings say so.
 */
import { describe, expect, test } from '@jest/globals';
import { Comparison } from '../../support/comparison.js';
import { judge } from '../../support/deviations.js';
import { isObject, type Json, type JsonObject } from '../../support/json.js';
import {
  loadDeviations,
  loadScenarios,
  type Scenario,
  type ScenarioReply,
  type ScenarioStep,
} from '../../support/scenario-format.js';
import { SERVER_CERTIFICATE, type ScriptedAnswer } from './fake-dialer.js';
import { fetchThroughProtocol } from './protocol-driver.js';

/** What depends on things around the protocol: policy, pins, identities, pacing, look-ups, batches, refused arguments, TLS. */
const ELSEWHERE =
  /robots|rate-limit|slow-down-short|blocked|allowed|batch|tofu|trust|cert-|client-cert|elicit|store|transport|tls11|cache-expiry|secret-echo/;

/** Members that the pipeline or the pin check adds. */
const ADDED_LATER: ReadonlySet<string> = new Set(['cached', 'cached_at', 'cache_age_seconds']);
const NOT_ECHOED_HERE: ReadonlySet<string> = new Set(['timestamp', 'tofu_warning']);

/** What servers of the recordings answer when no reply is given. */
const NO_REPLY: ScenarioReply = { text: '51 nope\r\n' };

const all = loadScenarios();
const deviations = loadDeviations(all);
const scenarios = all.filter(({ id }) => id.startsWith('gemini-') && !ELSEWHERE.test(id));

describe.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('%s', (id, scenario) => {
  test.each(callsOf(scenario))('step %i: %s', async (index, _, url, step) => {
    const { input, offset } = step.call?.arguments ?? {};
    const { payload, sent } = await fetchThroughProtocol(
      (line, port) => answerTo(scenario, line, port),
      { url, ...(typeof input === 'string' ? { input } : {}), ...(typeof offset === 'number' ? { offset } : {}) },
      { options: optionsOf(scenario) },
      { maxChars: Number(scenario.env['GEMINI_MAX_RENDERED_CHARS'] ?? 50_000) },
    );

    const comparison = new Comparison(new Map([['A', SERVER_CERTIFICATE.fingerprint]]));
    const differences = [
      ...comparison.differences(comparable(step.result?.structuredContent ?? {}), payload, 'structuredContent'),
      ...(wasSent(step) ? comparison.differences(recordedLines(step), sent, 'wire') : []),
    ];
    const seen: JsonObject = {
      isError: payload['kind'] === 'error',
      structuredContent: payload,
      wire: Object.fromEntries(scenario.servers.map(({ port }) => [String(port), sent])),
    };
    const better = (expected: JsonObject): boolean => comparison.differences(expected, seen, '').length === 0;
    expect(judge(deviations[id] ?? [], index, differences, better).failures).toEqual([]);
  });
});

function callsOf(scenario: Scenario): [index: number, name: string, url: string, step: ScenarioStep][] {
  return scenario.steps.flatMap((step, index): [number, string, string, ScenarioStep][] => {
    const url = step.call?.arguments['url'];
    const recorded = step.result?.structuredContent;
    // Names are resolved, and pauses kept, around the protocol; a name with a blank is none here.
    const code = isObject(recorded?.['error']) ? recorded['error']['code'] : null;
    const isElsewhere = code === 'DNS_ERROR' || code === 'SLOW_DOWN';
    return typeof url === 'string' && (!isElsewhere || url.includes(' ')) ? [[index, url.slice(0, 60), url, step]] : [];
  });
}

/** Whether the recorded answer came over the wire; out of its cache it came without a request. */
function wasSent(step: ScenarioStep): boolean {
  return step.result?.structuredContent?.['cached'] !== true;
}

function recordedLines(step: ScenarioStep): Json {
  return Object.values(step.wire ?? {}).flat();
}

function comparable(recorded: JsonObject): JsonObject {
  const members = Object.entries(recorded).filter(([member]) => !ADDED_LATER.has(member));
  return Object.fromEntries(
    members.map(([member, value]) => [member, member === 'request_info' ? echoed(value) : value]),
  );
}

function echoed(info: Json): Json {
  return Object.fromEntries(Object.entries(info ?? {}).filter(([member]) => !NOT_ECHOED_HERE.has(member)));
}

function optionsOf({ env }: Scenario): { maxResponseBytes?: number; deniedMimeTypes?: string[] } {
  const size = env['GEMINI_MAX_RESPONSE_SIZE'];
  const denied = env['GEMINI_DENIED_MIME_TYPES'];
  return {
    ...(size === undefined ? {} : { maxResponseBytes: Number(size) }),
    ...(denied === undefined ? {} : { deniedMimeTypes: denied.split(',').map((type) => type.trim().toLowerCase()) }),
  };
}

function answerTo(scenario: Scenario, line: string, port: number): ScriptedAnswer | undefined {
  const server = scenario.servers.find((one) => one.port === port);
  if (!server) return undefined;
  const reply: ScenarioReply = server.responses?.find(({ request }) => request === line) ?? server.default ?? NO_REPLY;
  const once = reply.b64 === undefined ? Buffer.from(reply.text ?? '') : Buffer.from(reply.b64, 'base64');
  const bytes = Buffer.concat(Array.from({ length: reply.repeat ?? 1 }, () => once));
  if (reply.delay_s !== undefined) return { bytes, close: 'late' };
  return { bytes, close: CLOSES[reply.close ?? 'normal'] };
}

const CLOSES = { normal: 'clean', hold: 'open', abrupt: 'abrupt' } as const;
