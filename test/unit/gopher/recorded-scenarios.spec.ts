/**
 * The recorded answers of gopher-mcp 0.10, step by step, against the protocol alone: what is sent, what is made of the
 * answer, what is echoed. Differences are fine only where the deviations that go with the recordings say so.
 */
import { describe, expect, test } from '@jest/globals';
import { Comparison } from '../../support/comparison.js';
import { judge } from '../../support/deviations.js';
import type { Json, JsonObject } from '../../support/json.js';
import {
  loadDeviations,
  loadScenarios,
  type Scenario,
  type ScenarioReply,
  type ScenarioStep,
  type WireLine,
} from '../../support/scenario-format.js';
import type { ScriptedAnswer } from './fake-dialer.js';
import { fetchThroughProtocol } from './protocol-driver.js';

/** What depends on things around the protocol: policy, pacing, name resolution, batches, refused tool arguments. */
const ELSEWHERE = /robots|rate-limit|blocked|allowed|batch|dns-error|offset-invalid/;

/** Members that the pipeline adds. */
const ADDED_LATER: ReadonlySet<string> = new Set(['cached', 'cached_at', 'cache_age_seconds']);

/** What servers of the recordings answer when no reply is given. */
const NO_REPLY: ScenarioReply = { text: '3nope\t\terror.host\t1\r\n.\r\n' };

const all = loadScenarios();
const deviations = loadDeviations(all);
const scenarios = all.filter(({ id }) => id.startsWith('gopher-') && !ELSEWHERE.test(id));

describe.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('%s', (id, scenario) => {
  test.each(callsOf(scenario))('step %i: %s', async (index, url, step) => {
    const { search, offset } = step.call?.arguments ?? {};
    const { payload, sent } = await fetchThroughProtocol(
      (line, port) => answerTo(scenario, line, port),
      { url, ...(typeof search === 'string' ? { search } : {}), ...(typeof offset === 'number' ? { offset } : {}) },
      settingsOf(scenario),
    );

    const comparison = new Comparison(new Map());
    const differences = [
      ...comparison.differences(comparable(step.result?.structuredContent ?? {}), payload, 'structuredContent'),
      ...(wasSent(step) ? comparison.differences(recordedLines(step), sent.map(lineOf), 'wire') : []),
    ];
    const seen: JsonObject = {
      isError: payload['kind'] === 'error',
      structuredContent: payload,
      wire: wireOf(scenario, sent),
    };
    const better = (expected: JsonObject): boolean => comparison.differences(expected, seen, '').length === 0;
    expect(judge(deviations[id] ?? [], index, differences, better).failures).toEqual([]);
  });
});

function callsOf(scenario: Scenario): [number, string, ScenarioStep][] {
  return scenario.steps.flatMap((step, index): [number, string, ScenarioStep][] => {
    const url = step.call?.arguments['url'];
    return typeof url === 'string' ? [[index, url, step]] : [];
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
    members.map(([member, value]) => [member, member === 'request_info' ? untimed(value) : value]),
  );
}

function untimed(info: Json): Json {
  return Object.fromEntries(Object.entries(info ?? {}).filter(([member]) => member !== 'timestamp'));
}

function settingsOf({ env }: Scenario): Record<string, number> {
  const settings = {
    maxResponseBytes: env['GOPHER_MAX_RESPONSE_SIZE'],
    maxItems: env['GOPHER_MAX_MENU_ITEMS'],
    maxChars: env['GOPHER_MAX_RENDERED_CHARS'],
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, Number(value)]])),
  );
}

function answerTo(scenario: Scenario, line: Buffer, port: number): ScriptedAnswer | undefined {
  const server = scenario.servers.find((one) => one.port === port);
  if (!server) return undefined;
  const reply: ScenarioReply =
    server.responses?.find(({ request }) => bytesOf(request).equals(line)) ?? server.default ?? NO_REPLY;
  const once = reply.b64 === undefined ? Buffer.from(reply.text ?? '') : Buffer.from(reply.b64, 'base64');
  const body = Buffer.concat(Array.from({ length: reply.repeat ?? 1 }, () => once));
  if (reply.delay_s !== undefined) return { body, close: 'late' };
  return { body, close: reply.close === 'hold' ? 'open' : 'normal' };
}

function bytesOf(line: WireLine): Buffer {
  return typeof line === 'string' ? Buffer.from(line) : Buffer.from(line.b64, 'base64');
}

/** Bytes as recordings write them. */
function lineOf(line: Buffer): Json {
  const text = line.toString();
  return Buffer.from(text).equals(line) ? text : { b64: line.toString('base64') };
}

function wireOf(scenario: Scenario, sent: readonly Buffer[]): JsonObject {
  return Object.fromEntries(scenario.servers.map(({ port }) => [String(port), sent.map(lineOf)]));
}
