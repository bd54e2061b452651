/** Holds the result of one wire case step against what the case expects. */
import { isArray, isObject, jsonEqual, lookup, shown, stringsIn, type Json, type JsonObject } from './json.js';
import type { WireExpectation } from './wire-case-format.js';
import type { WireHit } from './wire-case-server.js';

export interface StepOutcome {
  /** The payload: structuredContent. */
  readonly result: JsonObject;
  readonly isError: boolean;
  readonly seconds: number;
  /** Requests that this step caused. */
  readonly hits: readonly WireHit[];
  /** Requests since the case began. */
  readonly hitCount: number;
  readonly fingerprint: string | null;
}

/** One line for each expectation that is not met. */
export function unmet(expect: WireExpectation, outcome: StepOutcome): readonly string[] {
  return [
    ...unmetResult(expect, outcome),
    ...unmetTexts(expect, outcome.result),
    ...unmetLists(expect, outcome.result),
    ...unmetWire(expect, outcome),
  ];
}

function unmetResult(expect: WireExpectation, { result, isError, seconds, fingerprint }: StepOutcome): string[] {
  const lines: string[] = [];
  const is = (what: string, got: Json | undefined, fits: boolean, wanted: Json): void => {
    if (!fits) lines.push(`${what}: expected ${shown(wanted)}, got ${shown(got)}`);
  };
  const { kind } = result;
  const code = lookup(result, 'error.code');
  if (expect.kind !== undefined && !isOneOf(kind, expect.kind)) {
    const detail = kind === 'error' ? ` (${shown(code)}: ${shown(lookup(result, 'error.message'))})` : '';
    lines.push(`kind: expected ${shown(expect.kind)}, got ${shown(kind)}${detail}`);
  }
  if (expect.code !== undefined) is('error.code', code, isOneOf(code, expect.code), expect.code);
  if (expect.is_error !== undefined) is('isError', isError, isError === expect.is_error, expect.is_error);
  if (expect.status !== undefined) {
    const status = lookup(result, kind === 'error' ? 'error.status' : 'status');
    is('status', status, status === expect.status, expect.status);
  }
  for (const [path, wanted] of Object.entries(expect.fields ?? {})) {
    const got = lookup(result, path);
    is(path, got, matches(got, wanted), wanted);
  }
  if (expect.cert_fingerprint === true) {
    const got = lookup(result, 'request_info.cert_fingerprint');
    is('cert_fingerprint', got, got === fingerprint, fingerprint);
  }
  const limit = expect.max_seconds ?? Infinity;
  if (seconds > limit) lines.push(`took ${seconds.toFixed(1)} s, expected at most ${limit} s`);
  return lines;
}

function isOneOf(value: Json | undefined, alternatives: string): boolean {
  return typeof value === 'string' && alternatives.split('|').includes(value);
}

function unmetTexts(expect: WireExpectation, result: JsonObject): string[] {
  const flat = [...stringsIn(result, ['request_info'])].join('\n');
  // With a blank after each colon, as the cases write it.
  const whole = JSON.stringify(result, null, 1);
  const lines = [
    ...(expect.contains ?? []).filter((text) => !flat.includes(text)).map((text) => `missing text ${shown(text)}`),
    ...(expect.not_contains ?? []).filter((text) => flat.includes(text)).map((text) => `unwanted text ${shown(text)}`),
    ...(expect.json_not_contains ?? [])
      .filter((text) => whole.includes(text))
      .map((text) => `unwanted text ${shown(text)} somewhere in the payload`),
  ];
  const anyOf = expect.any_of ?? [];
  if (anyOf.length > 0 && !anyOf.some((text) => whole.toLowerCase().includes(text.toLowerCase()))) {
    lines.push(`none of ${shown(anyOf)} in the payload`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > (expect.max_json_bytes ?? Infinity)) {
    lines.push(`payload of ${bytes} bytes, expected at most ${expect.max_json_bytes}`);
  }
  return lines;
}

function unmetLists(expect: WireExpectation, result: JsonObject): string[] {
  const lists = [
    ['line types', expect.line_types, 'document.lines', 'type'],
    ['links', expect.links, 'document.links', 'url'],
    ['titles', expect.titles, 'items', 'title'],
    ['next_urls', expect.next_urls, 'items', 'next_url'],
    ['item types', expect.item_types, 'items', 'type'],
  ] as const;
  return lists.flatMap(([what, wanted, path, member]) => {
    if (wanted === undefined) return [];
    const entries = lookup(result, path);
    const got = isArray(entries) ? entries.map((entry) => lookup(entry, member) ?? null) : undefined;
    return jsonEqual(wanted, got) ? [] : [`${what}: expected ${shown(wanted, 600)}, got ${shown(got, 600)}`];
  });
}

function unmetWire(expect: WireExpectation, { hits, hitCount }: StepOutcome): string[] {
  const lines: string[] = [];
  const last = hits.at(-1);
  const sent = last === undefined ? undefined : last.bytes.toString('latin1');
  const wanted =
    expect.request_line === undefined
      ? expect.request_b64 && Buffer.from(expect.request_b64, 'base64').toString('latin1')
      : Buffer.from(expect.request_line).toString('latin1');
  if (wanted !== undefined && sent !== wanted) {
    lines.push(`request: expected ${shown(wanted)}, got ${shown(sent)}`);
  }
  if (expect.query_decoded !== undefined) {
    const query = /\?(.*)/s.exec((sent ?? '').split(/\r\n/, 1)[0] ?? '')?.[1] ?? '';
    if (percentDecoded(query) !== expect.query_decoded || /[+ ]/.test(query)) {
      lines.push(`query: expected an RFC 3986 encoding of ${shown(expect.query_decoded)}, got ${shown(query)}`);
    }
  }
  if (expect.requests !== undefined && hitCount !== expect.requests) {
    lines.push(`requests that reached the server: expected ${expect.requests}, got ${hitCount}`);
  }
  if (expect.sni !== undefined && (last === undefined || last.serverName !== expect.sni)) {
    lines.push(`SNI: expected ${shown(expect.sni)}, got ${shown(last?.serverName)}`);
  }
  const presented = last === undefined ? undefined : last.clientFingerprint !== null;
  if (expect.client_cert !== undefined && presented !== expect.client_cert) {
    lines.push(`client certificate: expected ${expect.client_cert}, got ${shown(presented)}`);
  }
  return lines;
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Equality, or each condition of an object whose members start with `$`. */
function matches(got: Json | undefined, wanted: Json): boolean {
  if (!isObject(wanted) || !Object.keys(wanted).some((member) => member.startsWith('$'))) return jsonEqual(wanted, got);
  return Object.entries(wanted).every(([operator, operand]) => {
    switch (operator) {
      case '$regex':
        return typeof got === 'string' && typeof operand === 'string' && new RegExp(operand, 'u').test(got);
      case '$present':
        return (got !== undefined && got !== null && got !== '') === operand;
      case '$in':
        return isArray(operand) && operand.some((one) => jsonEqual(one, got));
      case '$gte':
        return typeof got === 'number' && got >= Number(operand);
      case '$lte':
        return typeof got === 'number' && got <= Number(operand);
      case '$len':
        return (isArray(got) || typeof got === 'string') && got.length === operand;
      case '$not':
        return !jsonEqual(operand, got);
      default:
        throw new Error(`there is no condition ${operator}`);
    }
  });
}
