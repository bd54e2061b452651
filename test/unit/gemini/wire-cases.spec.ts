/**
 * The Gemini wire cases, made from public bug reports and specifications, against the protocol alone. Cases about policy,
 * caching, certificates and time belong to the whole server and are left to the contract tests.
 */
import { describe, expect, test } from '@jest/globals';
import { lookup, objectsOf, textOf, type Json, type JsonObject } from '../../support/json.js';
import { unmet } from '../../support/wire-case-check.js';
import {
  loadWireCases,
  rewriteExpectation,
  type WireCase,
  type WireExpectation,
  type WireReply,
  type WireServerSpec,
} from '../../support/wire-case-format.js';
import type { ScriptedAnswer } from './fake-dialer.js';
import { fetchThroughProtocol } from './protocol-driver.js';

const HOST = '127.20.1.7';
const PORT = 19_071;

/** What the protocol alone does not do. */
const ELSEWHERE = /batch|cache|cert-|tofu|tls1|plain-tcp|sni|slow-down$|slow-down-doubles|query-not-cached/;

const cases = loadWireCases().filter(
  ({ id, protocol, profile = 'default' }) => protocol === 'gemini' && profile === 'default' && !ELSEWHERE.test(id),
);

describe('wire cases', () => {
  test.each(cases.map((wireCase) => [wireCase.id, wireCase] as const))('%s', async (_, wireCase) => {
    expect(await play(wireCase)).toEqual([]);
  });
});

async function play(wireCase: WireCase): Promise<readonly string[]> {
  let spec = wireCase.server;
  let previous: JsonObject = {};
  for (const step of wireCase.steps) {
    spec = step.server ?? spec;
    const fill = filler(previous);
    const { url, input, offset, walk = 0 } = step.request;
    const from = fill(offset ?? null);
    const call = {
      url: textOf(fill(url ?? '')),
      ...(typeof input === 'string' ? { input } : {}),
      ...(typeof from === 'number' ? { offset: from } : {}),
    };
    const first = await fetchThroughProtocol(() => answerOf(spec), call);
    const result = walk === 0 ? first.payload : await walked(call, () => answerOf(spec));
    const lines = unmet(withoutCounts(rewriteExpectation(step.expect ?? {}, fill)), {
      result,
      isError: result['kind'] === 'error',
      seconds: 0,
      hits: first.sent.map((line) => ({
        bytes: Buffer.from(`${line}\r\n`),
        serverName: null,
        clientFingerprint: null,
      })),
      hitCount: first.sent.length,
      fingerprint: null,
    });
    if (lines.length > 0) return lines;
    previous = result;
  }
  return [];
}

/** How often a server was asked is a matter of the cache. */
function withoutCounts({ requests: _, ...expect }: WireExpectation): WireExpectation {
  return expect;
}

/** All windows of a page that is one long line. */
async function walked(call: { url: string }, answer: () => ScriptedAnswer | undefined): Promise<JsonObject> {
  const parts: string[] = [];
  let last: JsonObject = {};
  for (let offset: Json = 0; typeof offset === 'number'; offset = last['next_offset'] ?? null) {
    last = (await fetchThroughProtocol(answer, { ...call, offset })).payload;
    parts.push(...objectsOf(lookup(last, 'document.lines')).map(({ content }) => textOf(content)));
  }
  return { ...last, joined: parts.join(''), windows: parts.length };
}

function answerOf(spec: WireServerSpec): ScriptedAnswer | undefined {
  if (spec.refuse === true) return undefined;
  const bytes = bytesOf(spec);
  return { bytes, close: bytes.length === 0 && spec.close === 'stall' ? 'late' : CLOSES[spec.close ?? 'clean'] };
}

const CLOSES = { clean: 'clean', abort: 'abrupt', reset: 'reset', stall: 'open', drip: 'open' } as const;

function bytesOf(reply: WireReply): Buffer {
  const { response_text: text, response_b64: b64, response_repeat: repeat } = reply;
  const bytes =
    b64 === undefined
      ? Buffer.from(
          repeat === undefined
            ? (text ?? '')
            : `${repeat.prefix ?? ''}${repeat.unit.repeat(repeat.count)}${repeat.suffix ?? ''}`,
        )
      : Buffer.from(b64, 'base64');
  return Buffer.from(fillText(bytes.toString('latin1')), 'latin1');
}

type Filler = (value: Json) => Json;

/** Puts the scripted server, and values of the step before, in place of their placeholders. */
function filler(previous: JsonObject): Filler {
  return (value) => {
    if (typeof value === 'object' && value !== null) return JSON.parse(fillText(JSON.stringify(value)));
    if (typeof value !== 'string') return value;
    const path = /^\{PREV:([^}]+)\}$/.exec(value)?.[1];
    return path === undefined ? fillText(value) : (lookup(previous, path) ?? null);
  };
}

function fillText(text: string): string {
  return text
    .replaceAll('{HOST}', HOST)
    .replaceAll('{PORT}', String(PORT))
    .replace(/^(.*)\{FILL:(\d+)\}$/, (_, stem: string, length: string) => stem.padEnd(Number(length), 'a'));
}
