import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { requestIds } from '../../../src/mcp/transports/http/request-id.js';

const UUID = /^[0-9a-f-]{36}$/;

function idOf(given: string | string[] | undefined, peer: string | undefined, trusted = ['10.0.0.0/8', '::1']): string {
  const request = { headers: { 'x-request-id': given }, socket: { remoteAddress: peer } };
  return requestIds(trusted)(request as unknown as IncomingMessage);
}

describe('the id of a request', () => {
  test.each([
    ['0b1f0f2e-1111-4222-8333-abcdefabcdef', '10.1.2.3'],
    ['traefik:abc_1.2', '::ffff:10.1.2.3'],
    ['x', '::1'],
  ])('is the one that a trusted proxy gave: %s from %s', (given, peer) => {
    expect(idOf(given, peer)).toBe(given);
  });

  test.each([
    ['from nobody that is trusted', 'abc', '192.0.2.1'],
    ['from nowhere', 'abc', undefined],
    ['missing', undefined, '10.1.2.3'],
    ['empty', '', '10.1.2.3'],
    ['too long', 'a'.repeat(129), '10.1.2.3'],
    ['with a blank', 'a b', '10.1.2.3'],
    ['with a line end', 'a\nb', '10.1.2.3'],
    ['with a quote', 'a"b', '10.1.2.3'],
    ['that is no ASCII', 'ä', '10.1.2.3'],
    ['sent twice', 'a, b', '10.1.2.3'],
  ])('is one of ours instead of one %s', (_what, given, peer) => {
    expect(idOf(given, peer)).toMatch(UUID);
  });

  test('is ours where no proxy is trusted', () => {
    expect(idOf('abc', '127.0.0.1', [])).toMatch(UUID);
  });
});
