import { describe, expect, test } from '@jest/globals';
import { failure, type ErrorCode, type FailureReason } from '../../../src/common/error-codes.js';
import { probeFailed } from '../../../src/safety/robots-probe.js';

test.each<ErrorCode>([
  'BLOCKED',
  'DNS_ERROR',
  'SLOW_DOWN',
  'CERTIFICATE_CHANGED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_UNVERIFIED',
  'CERTIFICATE_STORE_UNAVAILABLE',
])('%s surfaces unchanged', (code) => {
  const refusal = failure(code, 'said so', { reason: 'malformed' });
  expect(probeFailed(refusal)).toEqual({ kind: 'surface', failure: refusal });
});

describe('anything else means that the policy is unavailable, for a cause in our words', () => {
  test.each<[ErrorCode, FailureReason | undefined, string]>([
    ['FETCH_ERROR', 'timeout', 'timed out'],
    ['FETCH_ERROR', 'refused', 'refused or unreachable'],
    ['FETCH_ERROR', 'unreachable', 'refused or unreachable'],
    ['FETCH_ERROR', 'too_large', 'too large'],
    ['FETCH_ERROR', 'reset', 'connection failed'],
    ['FETCH_ERROR', undefined, 'connection failed'],
    ['TLS_ERROR', 'not_tls', 'TLS handshake failed'],
    ['PROTOCOL_ERROR', 'malformed', 'malformed reply'],
  ])('%s, reason %s: %s', (code, reason, cause) => {
    const outcome = probeFailed(failure(code, 'library text', reason === undefined ? {} : { reason }));
    expect(outcome).toMatchObject({ kind: 'unavailable', cause });
    expect(outcome.kind === 'unavailable' ? outcome.reason : 'none').toBe(reason);
  });

  test('only a time-out is worth another try', () => {
    expect(probeFailed(failure('FETCH_ERROR', '', { reason: 'timeout' }))).toMatchObject({ retry: true });
    expect(probeFailed(failure('FETCH_ERROR', '', { reason: 'refused' }))).toMatchObject({ retry: false });
  });
});
