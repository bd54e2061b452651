import { expect, test } from '@jest/globals';
import type { PinRecord } from '../../../../src/trust/core/pin-record.js';
import { withSighting } from '../../../../src/trust/core/sighting.js';

const A = 'aa'.repeat(32);
const PIN: PinRecord = {
  fingerprint: A,
  firstSeenSeconds: 1,
  lastSeenSeconds: 10,
  expiresSeconds: 100,
  spki: 'k',
  extra: {},
};
const SIGHTING = { fingerprint: A, seenSeconds: 20, expiresSeconds: 200, spki: 'other' };

test('moves the last instant forward and keeps the facts that are known', () => {
  expect(withSighting(PIN, SIGHTING)).toEqual({ ...PIN, lastSeenSeconds: 20 });
});

test('fills what is not known', () => {
  expect(withSighting({ ...PIN, expiresSeconds: null, spki: null }, SIGHTING)).toEqual({
    ...PIN,
    lastSeenSeconds: 20,
    expiresSeconds: 200,
    spki: 'other',
  });
});

test('never moves the last instant back', () => {
  expect(withSighting(PIN, { ...SIGHTING, seenSeconds: 5 })).toBe(PIN);
});

test('leaves a pin of another certificate alone', () => {
  const other = { ...PIN, fingerprint: 'bb'.repeat(32) };
  expect(withSighting(other, SIGHTING)).toBe(other);
});
