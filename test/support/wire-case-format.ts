/** The format of test/fixtures/wire/*.json; the README there tells what the members mean. */
import { fixtureNames, format, formatCheck, readFixture } from './fixture-files.js';
import type { Json, JsonObject } from './json.js';

export interface WireReply {
  readonly response_text?: string;
  readonly response_b64?: string;
  readonly response_repeat?: {
    readonly prefix?: string;
    readonly unit: string;
    readonly count: number;
    readonly suffix?: string;
  };
  readonly close?: 'clean' | 'abort' | 'reset' | 'stall' | 'drip';
  readonly split_at?: readonly number[];
}

export interface WireTls {
  readonly min?: '1.1' | '1.2' | '1.3';
  readonly max?: '1.1' | '1.2' | '1.3';
  readonly key?: 'ec' | 'rsa2048' | 'ed25519';
  readonly key_id?: string;
  readonly cn?: string;
  readonly not_before_days?: number;
  readonly not_after_days?: number;
  readonly not_after?: '9999';
  readonly client_cert?: 'optional';
  readonly plain?: boolean;
}

export interface WireServerSpec extends WireReply {
  readonly when?: 'before_request';
  readonly refuse?: boolean;
  readonly host?: 'localhost' | '[::1]';
  readonly routes?: Readonly<Record<string, WireReply>>;
  readonly tls?: WireTls;
}

export interface WireRequest {
  readonly tool?: string;
  /** Follow next_offset through at most so many windows. */
  readonly walk?: number;
  readonly [argument: string]: Json | undefined;
}

export interface WireExpectation {
  readonly kind?: string;
  readonly code?: string;
  readonly status?: number;
  readonly is_error?: boolean;
  readonly contains?: readonly string[];
  readonly not_contains?: readonly string[];
  readonly json_not_contains?: readonly string[];
  readonly any_of?: readonly string[];
  readonly fields?: Readonly<Record<string, Json>>;
  readonly line_types?: readonly string[];
  readonly links?: readonly string[];
  readonly titles?: readonly string[];
  readonly next_urls?: readonly string[];
  readonly item_types?: readonly string[];
  readonly request_line?: string;
  readonly request_b64?: string;
  readonly query_decoded?: string;
  readonly requests?: number;
  readonly sni?: string | null;
  readonly client_cert?: boolean;
  readonly cert_fingerprint?: boolean;
  readonly max_seconds?: number;
  readonly max_json_bytes?: number;
}

export interface WireStep {
  readonly server?: WireServerSpec;
  readonly request: WireRequest;
  readonly expect?: WireExpectation;
}

export type WireProfile = 'default' | 'robots' | 'strict' | 'renewal';

export interface WireCase {
  readonly id: string;
  readonly protocol: 'gopher' | 'gemini';
  /** must: every client gets it right; should, stretch: where existing clients are weak. */
  readonly level: 'must' | 'should' | 'stretch';
  readonly source: string;
  readonly why: string;
  readonly profile?: WireProfile;
  readonly server: WireServerSpec;
  readonly steps: readonly WireStep[];
}

const { closed, listOf, mapOf, oneOf, text, flag, number, count, object, anything } = format;

const reply: JsonObject = {
  response_text: text,
  response_b64: text,
  response_repeat: closed({ prefix: text, unit: text, count, suffix: text }, ['unit', 'count']),
  close: oneOf('clean', 'abort', 'reset', 'stall', 'drip'),
  split_at: listOf(count),
};
const server = closed({
  ...reply,
  when: oneOf('before_request'),
  refuse: flag,
  host: oneOf('localhost', '[::1]'),
  routes: mapOf(closed(reply)),
  tls: closed({
    min: oneOf('1.1', '1.2', '1.3'),
    max: oneOf('1.1', '1.2', '1.3'),
    key: oneOf('ec', 'rsa2048', 'ed25519'),
    key_id: text,
    cn: text,
    not_before_days: number,
    not_after_days: number,
    not_after: oneOf('9999'),
    client_cert: oneOf('optional'),
    plain: flag,
  }),
});
const expectation = closed({
  kind: text,
  code: text,
  status: count,
  is_error: flag,
  contains: listOf(text),
  not_contains: listOf(text),
  json_not_contains: listOf(text),
  any_of: listOf(text),
  fields: mapOf(anything),
  line_types: listOf(text),
  links: listOf(text),
  titles: listOf(text),
  next_urls: listOf(text),
  item_types: listOf(text),
  request_line: text,
  request_b64: text,
  query_decoded: text,
  requests: count,
  sni: { type: ['string', 'null'] },
  client_cert: flag,
  cert_fingerprint: flag,
  max_seconds: number,
  max_json_bytes: count,
});

interface WireCaseFile extends Omit<WireCase, 'steps'> {
  readonly request?: WireRequest;
  readonly expect?: WireExpectation;
  readonly steps?: readonly WireStep[];
}

const checkCase = formatCheck<WireCaseFile>(
  closed(
    {
      id: text,
      protocol: oneOf('gopher', 'gemini'),
      level: oneOf('must', 'should', 'stretch'),
      source: text,
      why: text,
      profile: oneOf('default', 'robots', 'strict', 'renewal'),
      server,
      request: object,
      expect: expectation,
      steps: listOf(closed({ server, request: object, expect: expectation }, ['request'])),
    },
    ['id', 'protocol', 'level', 'source', 'why', 'server'],
  ),
);

const checkExpectation = formatCheck<WireExpectation>(expectation);

/** All wire cases, by name. A file with one request is a case of one step. */
export function loadWireCases(): readonly WireCase[] {
  return fixtureNames('wire').map((name) => {
    const { request, expect, steps, ...rest } = checkCase(readFixture(`wire/${name}`), name);
    if (steps !== undefined) return { ...rest, steps };
    if (request === undefined || expect === undefined) throw new Error(`${name} has neither steps nor a request`);
    return { ...rest, steps: [{ request, expect }] };
  });
}

/** The expectation after its placeholders were replaced. */
export function rewriteExpectation(expect: WireExpectation, rewrite: (value: Json) => Json): WireExpectation {
  const copy: Json = JSON.parse(JSON.stringify(expect));
  return checkExpectation(rewrite(copy), 'expect');
}
