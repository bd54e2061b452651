/** The check behind every run of the tests, held against leaks that were put there. */
import { describe, expect, test } from '@jest/globals';
import { leaksIn } from '../support/traffic-check.mjs';
import type { TrafficRecord } from '../support/traffic.js';

const written = (...records: readonly TrafficRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const query = (secret: string, protocol: 'gopher' | 'gemini' = 'gemini'): TrafficRecord => ({
  secret,
  protocol,
  kind: 'query',
});
const line = (level: string, fields: object): TrafficRecord => ({ log: `${JSON.stringify({ level, ...fields })}\n` });

describe('a secret is found', () => {
  test.each<[string, TrafficRecord[]]>([
    ['in the log', [query('my answer'), line('info', { path: '/x?my answer' })]],
    ['in the log, encoded', [query('my answer'), line('warning', { path: '/x?my%20answer' })]],
    ['in the log, decoded', [query('my%20answer'), line('error', { path: 'my answer' })]],
    ['in a line of the log that came in two pieces', [query('my answer'), { log: 'x my an' }, { log: 'swer\n' }]],
    ['in an echo', [query('my answer'), { result: { request_info: { url: 'gemini://h/?my%20answer' } } }]],
    ['in a message of ours', [query('terms of mine', 'gopher'), { result: { error: { message: 'terms of mine' } } }]],
    [
      'in a Gopher URL, where it is a password',
      [{ secret: 'hunter22', protocol: 'gopher', kind: 'password' }, { result: { url: 'gopher://u:hunter22@h/' } }],
    ],
  ])('%s', (_, records) => {
    expect(leaksIn(written(...records))).toHaveLength(1);
  });
});

describe('nothing is found', () => {
  test.each<[string, TrafficRecord[]]>([
    ['where a secret stayed', [query('my answer'), line('info', { host: 'h' }), { result: { kind: 'text' } }]],
    ['at DEBUG', [query('terms of mine', 'gopher'), line('debug', { url: 'gopher://h/7/?terms of mine' })]],
    ['in the echo of a Gopher URL', [query('terms', 'gopher'), { result: { url: 'gopher://h/7/?terms' } }]],
  ])('%s', (_, records) => {
    expect(leaksIn(written(...records))).toEqual([]);
  });
});
