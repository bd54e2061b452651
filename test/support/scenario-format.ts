/** The format of test/fixtures/scenarios/*.json; the README there tells what the members mean. */
import { fixtureNames, format, formatCheck, readFixture } from './fixture-files.js';
import type { Json, JsonObject } from './json.js';
import type { ElicitationAnswer } from './mcp-stdio-client.js';

/** Bytes of an exact request line, without CRLF: text, or base64 when they are not UTF-8. */
export type WireLine = string | { readonly b64: string };

export interface ScenarioReply {
  readonly text?: string;
  readonly b64?: string;
  readonly repeat?: number;
  readonly delay_s?: number;
  readonly close?: 'normal' | 'hold' | 'abrupt';
  readonly hold_s?: number;
}

export interface ScenarioResponse extends ScenarioReply {
  readonly request: WireLine;
  readonly times?: number;
}

export interface ScenarioServerSpec {
  readonly protocol: 'gopher' | 'gemini';
  readonly port: number;
  readonly bind?: string;
  readonly cert?: 'A' | 'B' | 'expired' | 'future';
  readonly tls_max?: '1.1' | '1.2';
  readonly ask_cert?: boolean;
  readonly plain?: boolean;
  readonly plain_immediate?: boolean;
  readonly responses?: readonly ScenarioResponse[];
  readonly default?: ScenarioReply;
}

export interface RecordedResult {
  readonly isError: boolean;
  readonly structuredContent: JsonObject | null;
  readonly content_blocks?: number;
  readonly text_equals_structured?: boolean;
  readonly content?: readonly Json[];
}

export interface ScenarioStep {
  readonly call?: { readonly tool: string; readonly arguments: JsonObject };
  readonly wire?: Readonly<Record<string, readonly WireLine[]>>;
  readonly result?: RecordedResult;
  readonly progress?: readonly Json[];
  readonly elicitations?: number;
  readonly sleep_s?: number;
  readonly swap_servers?: readonly ScenarioServerSpec[];
  readonly delete_files?: readonly string[];
}

export interface Scenario {
  readonly id: string;
  readonly covers: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  readonly servers: readonly ScenarioServerSpec[];
  readonly elicitation?: ElicitationAnswer;
  readonly steps: readonly ScenarioStep[];
  readonly state_files?: Readonly<Record<string, JsonObject>>;
}

const { closed, listOf, mapOf, oneOf, text, flag, number, count, object, anything } = format;

const wireLine: JsonObject = { anyOf: [text, closed({ b64: text }, ['b64'])] };
const reply: JsonObject = {
  text,
  b64: text,
  repeat: count,
  delay_s: number,
  close: oneOf('normal', 'hold', 'abrupt'),
  hold_s: number,
};
const server = closed(
  {
    protocol: oneOf('gopher', 'gemini'),
    port: count,
    bind: text,
    cert: oneOf('A', 'B', 'expired', 'future'),
    tls_max: oneOf('1.1', '1.2'),
    ask_cert: flag,
    plain: flag,
    plain_immediate: flag,
    responses: listOf(closed({ ...reply, request: wireLine, times: count }, ['request'])),
    default: closed(reply),
  },
  ['protocol', 'port'],
);
const step = closed({
  call: closed({ tool: text, arguments: object }, ['tool', 'arguments']),
  wire: mapOf(listOf(wireLine)),
  result: closed(
    {
      isError: flag,
      structuredContent: { type: ['object', 'null'] },
      content_blocks: count,
      text_equals_structured: flag,
      content: listOf(anything),
    },
    ['isError', 'structuredContent'],
  ),
  progress: listOf(anything),
  elicitations: count,
  sleep_s: number,
  swap_servers: listOf(server),
  delete_files: listOf(text),
});
const scenario = closed(
  {
    id: text,
    covers: listOf(text),
    env: mapOf(text),
    files: listOf(closed({ path: text, text }, ['path', 'text'])),
    servers: listOf(server),
    elicitation: oneOf('accept', 'accept-false', 'decline'),
    steps: listOf(step),
    state_files: mapOf(object),
  },
  ['id', 'covers', 'env', 'servers', 'steps'],
);

const checkScenario = formatCheck<Scenario>(scenario);
const DEVIATIONS_FILE = 'deviations.json';

/** All recorded scenarios, by name. */
export function loadScenarios(): readonly Scenario[] {
  return fixtureNames('scenarios')
    .filter((name) => name !== DEVIATIONS_FILE)
    .map((name) => checkScenario(readFixture(`scenarios/${name}`), name));
}

/** The scenario after a change to its values, such as other ports. */
export function rewriteScenario(recorded: Scenario, rewrite: (value: Json) => Json): Scenario {
  const copy: Json = JSON.parse(JSON.stringify(recorded));
  return checkScenario(rewrite(copy), recorded.id);
}

/** One place where the server may differ from the recording, on purpose. */
export interface Deviation {
  readonly why: string;
  /** Default: all steps. */
  readonly steps?: readonly (number | 'state_files')[];
  /** Default: the whole answer. */
  readonly paths?: readonly string[];
  /** What the better answer looks like, or several alternatives. Default: anything. */
  readonly expect?: JsonObject | readonly JsonObject[];
}

export type DeviationTable = Readonly<Record<string, readonly Deviation[]>>;

const deviation = closed(
  {
    why: { type: 'string', minLength: 1 },
    steps: listOf({ anyOf: [count, { const: 'state_files' }] }),
    paths: listOf(text),
    expect: { type: ['object', 'array'], items: { type: 'object' } },
  },
  ['why'],
);

/** The allowed deviations by scenario; throws when one names no existing scenario or call. */
export function loadDeviations(scenarios: readonly Scenario[]): DeviationTable {
  const check = formatCheck<DeviationTable>(mapOf(listOf(deviation)));
  const table = check(readFixture(`scenarios/${DEVIATIONS_FILE}`), DEVIATIONS_FILE);
  for (const [id, entries] of Object.entries(table)) {
    const scenario = scenarios.find((one) => one.id === id);
    for (const { steps = [] } of entries) {
      const stray = steps.find((index) => index !== 'state_files' && scenario?.steps[index]?.call === undefined);
      if (scenario === undefined || stray !== undefined) {
        throw new Error(`${DEVIATIONS_FILE}: ${id} has no call at step ${stray ?? '?'}`);
      }
    }
  }
  return table;
}
