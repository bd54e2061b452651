/**
 * The Gopher wire cases, made from public bug reports and specifications, against the protocol alone. Cases about policy,
 * caching and time belong to the whole server and are left to the contract tests.
 */
import { describe, expect, test } from '@jest/globals';
import { lookup, type Json, type JsonObject } from '../../support/json.js';
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
const PORT = 7071;

const cases = loadWireCases().filter(
  ({ id, protocol, profile = 'default' }) => protocol === 'gopher' && profile === 'default' && !/batch|cache/.test(id),
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
    const { url, search, offset, walk = 0 } = step.request;
    const call = {
      url: stringOr('', fill(url ?? '')),
      ...(typeof search === 'string' ? { search } : {}),
      ...(typeof offset === 'number' ? { offset } : {}),
    };
    const first = await fetchThroughProtocol(() => answerOf(spec), call);
    const result = walk === 0 ? first.payload : await walked(call, () => answerOf(spec));
    const lines = unmet(withoutCounts(rewriteExpectation(step.expect ?? {}, fill)), {
      result,
      isError: result['kind'] === 'error',
      seconds: 0,
      hits: first.sent.map((line) => ({
        bytes: Buffer.concat([line, Buffer.from('\r\n')]),
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

async function walked(call: { url: string }, answer: () => ScriptedAnswer | undefined): Promise<JsonObject> {
  const parts: string[] = [];
  let last: JsonObject = {};
  for (let offset: Json = 0; typeof offset === 'number'; offset = last['next_offset'] ?? null) {
    last = (await fetchThroughProtocol(answer, { ...call, offset })).payload;
    parts.push(stringOr('', last['text']));
  }
  return { ...last, joined: parts.join(''), windows: parts.length };
}

function answerOf(spec: WireServerSpec): ScriptedAnswer | undefined {
  if (spec.refuse === true) return undefined;
  return { body: bodyOf(spec), close: CLOSES[spec.close ?? 'clean'] };
}

const CLOSES = { clean: 'normal', abort: 'normal', reset: 'reset', stall: 'open', drip: 'open' } as const;

function bodyOf(reply: WireReply): Buffer {
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

function stringOr(absent: string, value: Json | undefined): string {
  return typeof value === 'string' ? value : absent;
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
  return text.replaceAll('{HOST}', HOST).replaceAll('{PORT}', String(PORT));
}
