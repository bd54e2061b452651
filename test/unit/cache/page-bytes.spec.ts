import { describe, expect, test } from '@jest/globals';
import { decodeAddress, encodeAddress } from '../../../src/cache/page-address.js';
import { decodePage, encodePage } from '../../../src/cache/page-bytes.js';

const PAGE = {
  kind: 'text',
  fetchedAtMs: 1_800_000_000_000,
  connection: { tls_version: 'TLSv1.3', cipher: null },
  constant: Buffer.from('"kind":"text","text":"ä\u0000"'),
};

describe('a page', () => {
  test('is the same after it was bytes', () => {
    expect(decodePage(encodePage(PAGE))).toEqual(PAGE);
  });

  test('cut anywhere in its facts is none, and never throws', () => {
    const bytes = encodePage(PAGE);
    const facts = bytes.length - PAGE.constant.length;
    for (let length = 0; length <= facts; length++) expect(decodePage(bytes.subarray(0, length))).toBeUndefined();
  });

  test.each([
    ['other facts', '{"kind":1,"fetchedAtMs":2,"connection":{}}'],
    ['no object', '[]'],
    ['no JSON', '{"kind"'],
  ])('with %s is none', (_, facts) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(facts.length);
    expect(decodePage(Buffer.concat([length, Buffer.from(facts), Buffer.from('"a":1')]))).toBeUndefined();
  });
});

test.each([
  ['example.org:70', '\0/0 a b', '0 full'],
  ['[::1]:1965', '', '100 text'],
  ['', ' ', ''],
])('the address %j %j %j is the same after it was a key', (host, resource, window) => {
  expect(decodeAddress(encodeAddress({ host, resource, window }))).toEqual({ host, resource, window });
});
