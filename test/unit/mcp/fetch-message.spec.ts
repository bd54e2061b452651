import { describe, expect, test } from '@jest/globals';
import type { FetchRecord } from '../../../src/fetch/index.js';
import { fetchMessage, isLevel } from '../../../src/mcp/fetch-message.js';

const DONE: FetchRecord = {
  protocol: 'gopher',
  request: { url: 'gopher://a.example/7/find?term', host: 'a.example', port: 70, selector: '/find', type: '7' },
  kind: 'menu',
  bytes: 12,
  durationMs: 3.14159,
  source: 'held',
};

describe('the message of a fetch', () => {
  test('says what was asked for without the search, how it ended and how long it took', () => {
    expect(fetchMessage(DONE, 'debug')).toEqual({
      level: 'debug',
      data: { url: 'gopher://a.example/7/find', host: 'a.example', port: 70, kind: 'menu', cached: true, ms: 3.1 },
    });
  });

  test.each([
    ['debug', {}],
    ['info', { kind: 'error', code: 'DNS_ERROR' }],
    ['info', { kind: 'error', code: 'FETCH_ERROR', reason: 'timeout' }],
    ['warning', { kind: 'error', code: 'CERTIFICATE_STORE_UNAVAILABLE' }],
    ['error', { kind: 'error', code: 'FETCH_ERROR', reason: 'internal' }],
  ] as const)('is of level %s: %j', (level, ending) => {
    expect(fetchMessage({ ...DONE, ...ending }, 'debug')).toMatchObject({ level, data: ending });
  });

  test('never carries a cause', () => {
    const record: FetchRecord = { ...DONE, kind: 'error', code: 'FETCH_ERROR', cause: new Error('inside') };
    expect(JSON.stringify(fetchMessage(record, 'debug'))).not.toContain('inside');
  });

  test.each([
    ['debug', true, true, true],
    ['info', false, true, true],
    ['notice', false, false, true],
    ['error', false, false, true],
    ['critical', false, false, false],
    ['emergency', false, false, false],
  ] as const)('threshold %s: success %s, failure %s, fault %s', (threshold, success, failure, fault) => {
    const told = (ending: Partial<FetchRecord>): boolean =>
      fetchMessage({ ...DONE, ...ending }, threshold) !== undefined;
    expect([told({}), told({ code: 'DNS_ERROR' }), told({ code: 'FETCH_ERROR', reason: 'internal' })]).toEqual([
      success,
      failure,
      fault,
    ]);
  });

  test.each([
    ['notice', true],
    ['loud', false],
    [undefined, false],
  ])('%s is a level: %s', (value, expected) => {
    expect(isLevel(value)).toBe(expected);
  });
});
