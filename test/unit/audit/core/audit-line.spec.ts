import { describe, expect, test } from '@jest/globals';
import { callLine, trailLine, turnedAwayLine } from '../../../../src/audit/core/audit-line.js';
import type { CallEnd, CallStart } from '../../../../src/common/call-observer.port.js';
import { LOCAL_PRINCIPAL } from '../../../../src/common/principal.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

const CALL: CallStart = {
  method: 'tools/call',
  principal: { ...LOCAL_PRINCIPAL, tenant: 'acme', subject: 'alice' },
  origin: { address: '192.0.2.7', requestId: 'r-1' },
  client: { name: 'inspector', version: '1.0' },
  session: 'secret-session',
  revision: '2025-11-25',
  rpcId: 7,
  trace: { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16), sampled: true, state: null },
  tool: 'gopher_fetch',
  isKnownTool: true,
  targets: ['gopher://example.org/0/a'],
  targetCount: 1,
};
const END: CallEnd = { outcome: 'ok', code: undefined, bytes: 120, failedItems: 0 };

const lineOf = (call: Partial<CallStart> = {}, end: Partial<CallEnd> = {}): string =>
  callLine({ call: { ...CALL, ...call }, end: { ...END, ...end }, session: 'd1', durationMs: 12.3456 }, NOW);
const read = (line: string): Record<string, unknown> => JSON.parse(line);

describe('the line of a call', () => {
  test('says who, what, how it ended', () => {
    expect(read(lineOf())).toEqual({
      time: '2026-01-02T03:04:05.006Z',
      event: 'call',
      tenant: 'acme',
      subject: 'alice',
      client: 'inspector',
      client_version: '1.0',
      client_address: '192.0.2.7',
      session: 'd1',
      method: 'tools/call',
      tool: 'gopher_fetch',
      target: 'gopher://example.org/0/a',
      decision: 'allowed',
      outcome: 'ok',
      code: null,
      bytes: 120,
      ms: 12.3,
      trace_id: 'a'.repeat(32),
      request_id: 'r-1',
    });
  });

  test('has null for what is not known', () => {
    const line = lineOf({
      client: undefined,
      trace: undefined,
      origin: { address: undefined, requestId: undefined },
      targets: [],
      targetCount: 0,
    });
    expect(read(line)).toMatchObject({
      client: null,
      client_version: null,
      client_address: null,
      trace_id: null,
      request_id: null,
      target: null,
    });
  });

  test('lists the targets of a batch up to a bound, with their number and the failed ones', () => {
    const targets = Array.from({ length: 12 }, (_, index) => `gopher://example.org/${index}`);
    const line = read(lineOf({ targets, targetCount: 50 }, { failedItems: 3 }));
    expect(line).toMatchObject({ target_count: 50, failed_items: 3 });
    expect(line['targets']).toHaveLength(10);
    expect(line).not.toHaveProperty('target');
  });

  test.each([
    ['error', 'INVALID_REQUEST', 'refused'],
    ['error', 'BLOCKED', 'refused'],
    ['error', 'QUOTA_EXCEEDED', 'refused'],
    ['error', '-32602', 'refused'],
    ['error', 'DNS_ERROR', 'allowed'],
    ['error', 'CERTIFICATE_STORE_UNAVAILABLE', 'allowed'],
    ['error', 'INTERNAL', 'allowed'],
    ['error', undefined, 'allowed'],
    ['question', undefined, 'allowed'],
    ['cancelled', undefined, 'allowed'],
  ] as const)('an end with %s %s was %s', (outcome, code, decision) => {
    expect(read(lineOf({}, { outcome, code }))).toMatchObject({ decision, outcome, code: code ?? null });
  });

  test.each([
    ['a line end', 'a\nb\r\u2028{"event":"call"}'],
    ['a terminal sequence', '\u001b[2J\u009b31m'],
    ['a turned reading order', 'a\u202egnp.exe'],
    ['a lone surrogate', 'a\ud800b'],
    ['a quote and a brace', '"},{"event":"call'],
  ])('holds %s as text, in printable ASCII or letters', (_what, text) => {
    const line = lineOf({ tool: text, targets: [text], client: { name: text, version: text } });
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(read(line)).toMatchObject({ event: 'call', tool: text, target: text, client: text, client_version: text });
  });

  test('has a bound, whatever callers send', () => {
    const long = '\u202e'.repeat(100_000);
    const line = lineOf({
      tool: long,
      targets: Array.from({ length: 100 }, () => long),
      targetCount: 100,
      client: { name: long, version: long },
      principal: { ...LOCAL_PRINCIPAL, tenant: long, subject: long },
      origin: { address: long, requestId: long },
    });
    expect(line.length).toBeLessThan(40_000);
    expect(read(line)['client_version']).toBe(`${long.slice(0, 64)}…`);
  });
});

test('a request that was turned away has a line of its own kind', () => {
  const origin = { address: '192.0.2.7', requestId: 'r-2' };
  expect(read(turnedAwayLine({ why: 'authentication', reason: 'token expired', status: 401, origin }, NOW))).toEqual({
    time: '2026-01-02T03:04:05.006Z',
    event: 'authentication',
    tenant: null,
    subject: null,
    client_address: '192.0.2.7',
    method: null,
    tool: null,
    decision: 'refused',
    reason: 'token expired',
    status: 401,
    request_id: 'r-2',
  });
});

test('the trail speaks of itself in the same form', () => {
  expect(read(trailLine('gap', NOW, { lost: 3 }))).toEqual({ time: '2026-01-02T03:04:05.006Z', event: 'gap', lost: 3 });
});
