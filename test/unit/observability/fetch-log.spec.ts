import { describe, expect, test } from '@jest/globals';
import type { FetchRecord } from '../../../src/fetch/index.js';
import type { Log, LogFields, LogLevel } from '../../../src/logging/index.js';
import { FetchLog } from '../../../src/observability/fetch-log.js';

const DONE: FetchRecord = {
  protocol: 'gemini',
  request: { url: 'gemini://a.example/x', host: 'a.example', port: 1965, path: '/x', has_query: true },
  kind: 'gemtext',
  bytes: 12,
  durationMs: 3.14159,
  source: 'wire',
};
const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7', sampled: true, state: null };

/** The level, event and fields of the line that a record gives. */
function lineOf(record: FetchRecord): readonly [LogLevel, string, LogFields] {
  const [line, ...others] = linesOf(record);
  if (line === undefined || others.length > 0) throw new Error(`${others.length + 1} lines`);
  return line;
}

/** The level, event and fields of the lines that a record gives. */
function linesOf(record: FetchRecord): readonly (readonly [LogLevel, string, LogFields])[] {
  const lines: [LogLevel, string, LogFields][] = [];
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void =>
      void lines.push([level, event, fields]);
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    isEnabled: () => true,
  };
  new FetchLog(log).onFetch(record);
  return lines;
}

describe('the log line of a fetch', () => {
  test('that showed a client certificate over TLS 1.2 comes after a warning, whatever became of it', () => {
    const warning = 'shown to anyone';
    expect(linesOf({ ...DONE, warning }).map(([level, event]) => [level, event])).toEqual([
      ['warning', 'client certificate shown'],
      ['debug', 'fetch done'],
    ]);
    const [told] = linesOf({ ...DONE, kind: 'error', code: 'TLS_ERROR', warning });
    expect(told).toMatchObject(['warning', 'client certificate shown', { host: 'a.example', port: 1965, warning }]);
    expect(JSON.stringify(told)).not.toContain('/x');
  });

  test('a refused address is named, with the host that led there', () => {
    const cause = { address: '10.0.0.7', refusal: 'private' };
    const blocked: FetchRecord = { ...DONE, kind: 'error', code: 'BLOCKED', reason: 'address_class', cause };
    expect(lineOf(blocked)).toMatchObject(['info', 'fetch failed', { host: 'a.example', resolved_ip: '10.0.0.7' }]);
    expect(lineOf({ ...blocked, code: 'FETCH_ERROR', reason: 'reset' })[2]).not.toHaveProperty('resolved_ip');
  });

  test('a page is told at debug, with what was asked for', () => {
    const [level, event, fields] = lineOf(DONE);
    expect([level, event]).toEqual(['debug', 'fetch done']);
    expect(fields).toMatchObject({ url: 'gemini://a.example/x', has_query: true, duration_ms: 3.1, cached: false });
  });

  test.each([
    ['info', { code: 'DNS_ERROR' }],
    ['info', { code: 'FETCH_ERROR', reason: 'timeout' }],
    ['error', { code: 'FETCH_ERROR', reason: 'internal' }],
    ['error', { code: 'CERTIFICATE_STORE_UNAVAILABLE' }],
  ] as const)('at %s: %j, without what was asked for', (level, ending) => {
    const line = lineOf({ ...DONE, kind: 'error', ...ending });
    expect(line[0]).toBe(level);
    expect(line[2]).toMatchObject(ending);
    expect(JSON.stringify(line[2])).not.toContain('/x');
  });

  test.each([
    ['a page', {}],
    ['a failure', { kind: 'error', code: 'DNS_ERROR' }],
  ] as const)("%s carries the id of the caller's trace, when there is one", (_name, ending) => {
    expect(lineOf({ ...DONE, ...ending, trace: TRACE })[2]['trace_id']).toBe(TRACE.traceId);
    expect(lineOf({ ...DONE, ...ending })[2]['trace_id']).toBeUndefined();
  });
});
