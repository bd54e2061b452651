import { describe, expect, test } from '@jest/globals';
import {
  decidePin,
  NOT_BEFORE_SKEW_MS,
  type PinPolicy,
  type PresentedCertificate,
} from '../../../../src/trust/core/decide-pin.js';
import type { PinRecord } from '../../../../src/trust/core/pin-record.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 1);
const A = 'aa'.repeat(32);
const B = 'bb'.repeat(32);
const KEY_1 = '11'.repeat(32);
const KEY_2 = '22'.repeat(32);

const STRICT: PinPolicy = { rejectExpired: false, renewal: { expired: false, sameKey: false } };
const REJECTING: PinPolicy = { ...STRICT, rejectExpired: true };
const RENEWING: PinPolicy = { ...STRICT, renewal: { expired: true, sameKey: true } };

const GOOD: PresentedCertificate = {
  fingerprint: A,
  spki: KEY_1,
  notBeforeMs: NOW_MS - DAY_MS,
  notAfterMs: NOW_MS + 30 * DAY_MS,
};
const EXPIRED = { ...GOOD, notAfterMs: NOW_MS - 1 };
const PIN: PinRecord = {
  fingerprint: A,
  firstSeenSeconds: 1_700_000_000.5,
  lastSeenSeconds: 1_700_000_001.5,
  expiresSeconds: NOW_MS / 1000 + 1,
  spki: KEY_1,
  extra: { note: 'kept' },
};
const EXPIRED_PIN = { ...PIN, expiresSeconds: NOW_MS / 1000 - 1 };

describe('first use', () => {
  test('pins what is presented', () => {
    expect(decidePin(null, GOOD, NOW_MS, STRICT)).toEqual({
      kind: 'pin',
      occasion: 'first_use',
      expired: false,
      record: {
        fingerprint: A,
        firstSeenSeconds: NOW_MS / 1000,
        lastSeenSeconds: NOW_MS / 1000,
        expiresSeconds: GOOD.notAfterMs / 1000,
        spki: KEY_1,
        extra: {},
      },
    });
  });

  test('pins an expired certificate, and says so', () => {
    expect(decidePin(null, EXPIRED, NOW_MS, STRICT)).toMatchObject({ kind: 'pin', expired: true });
  });

  test('refuses an expired certificate where the policy does', () => {
    expect(decidePin(null, EXPIRED, NOW_MS, REJECTING)).toEqual({ kind: 'expired', expiresMs: EXPIRED.notAfterMs });
  });

  test('takes a certificate at its last instant for valid', () => {
    expect(decidePin(null, { ...GOOD, notAfterMs: NOW_MS }, NOW_MS, REJECTING)).toMatchObject({
      kind: 'pin',
      expired: false,
    });
  });

  test('tolerates a start within the skew, and not a millisecond more', () => {
    const atTheEdge = { ...GOOD, notBeforeMs: NOW_MS + NOT_BEFORE_SKEW_MS };
    expect(decidePin(null, atTheEdge, NOW_MS, STRICT)).toMatchObject({ kind: 'pin' });
    const beyond = { ...GOOD, notBeforeMs: atTheEdge.notBeforeMs + 1 };
    expect(decidePin(null, beyond, NOW_MS, STRICT)).toEqual({ kind: 'not_yet_valid', notBeforeMs: beyond.notBeforeMs });
  });
});

describe('the pinned certificate', () => {
  test('matches, and the sighting tells what a pin may lack', () => {
    expect(decidePin(PIN, GOOD, NOW_MS, STRICT)).toEqual({
      kind: 'match',
      expired: false,
      expiresMs: NOW_MS + 1000,
      sighting: { fingerprint: A, seenSeconds: NOW_MS / 1000, expiresSeconds: GOOD.notAfterMs / 1000, spki: KEY_1 },
    });
  });

  test('matches without its key being worked out, unless the pin lacks it', () => {
    let asked = 0;
    const lazy = {
      ...GOOD,
      get spki() {
        asked += 1;
        return KEY_1;
      },
    };
    expect(decidePin(PIN, lazy, NOW_MS, STRICT)).toMatchObject({ kind: 'match' });
    expect(asked).toBe(0);
    expect(decidePin({ ...PIN, spki: null }, lazy, NOW_MS, STRICT)).toMatchObject({ sighting: { spki: KEY_1 } });
  });

  test('is warned about once it has expired, by the end that the pin knows', () => {
    expect(decidePin(EXPIRED_PIN, GOOD, NOW_MS, STRICT)).toMatchObject({
      kind: 'match',
      expired: true,
      expiresMs: NOW_MS - 1000,
    });
  });

  test('is warned about by its own end where the pin knows none', () => {
    expect(decidePin({ ...PIN, expiresSeconds: null }, EXPIRED, NOW_MS, STRICT)).toMatchObject({
      kind: 'match',
      expired: true,
    });
  });

  test('is refused once it has expired where the policy does', () => {
    expect(decidePin(EXPIRED_PIN, GOOD, NOW_MS, REJECTING)).toEqual({ kind: 'expired', expiresMs: NOW_MS - 1000 });
  });

  test('is not judged by its start again', () => {
    expect(decidePin(PIN, { ...GOOD, notBeforeMs: NOW_MS + DAY_MS }, NOW_MS, STRICT)).toMatchObject({ kind: 'match' });
  });
});

describe('another certificate', () => {
  const OTHER = { ...GOOD, fingerprint: B };

  test('is a change, with the facts to decide by', () => {
    expect(decidePin(PIN, OTHER, NOW_MS, STRICT)).toEqual({
      kind: 'changed',
      pinned: PIN,
      pinnedExpired: false,
      sameKey: true,
    });
  });

  test.each([
    ['the same key', PIN, OTHER, true],
    ['another key', PIN, { ...OTHER, spki: KEY_2 }, false],
    ['an unknown pinned key', { ...PIN, spki: null }, OTHER, null],
    ['an unknown presented key', PIN, { ...OTHER, spki: null }, null],
  ])('with %s', (_, pin, presented, sameKey) => {
    expect(decidePin(pin, presented, NOW_MS, STRICT)).toMatchObject({ kind: 'changed', sameKey });
  });

  test('stays a change under the strict policy when the pin has expired', () => {
    expect(decidePin(EXPIRED_PIN, OTHER, NOW_MS, STRICT)).toMatchObject({ kind: 'changed', pinnedExpired: true });
  });

  test('is told apart from an expired certificate even where those are refused', () => {
    expect(decidePin(PIN, { ...EXPIRED, fingerprint: B }, NOW_MS, REJECTING)).toMatchObject({ kind: 'changed' });
  });

  const NEW_KEY = { ...OTHER, spki: KEY_2 };
  test.each([
    ['the pin has expired', EXPIRED_PIN, NEW_KEY, 'pin_expired'],
    ['the key is the same', PIN, OTHER, 'same_key'],
    ['both', EXPIRED_PIN, OTHER, 'same_key'],
  ])('is taken as a renewal when %s', (_, pin, presented, occasion) => {
    const decision = decidePin(pin, presented, NOW_MS, RENEWING);
    expect(decision).toMatchObject({ kind: 'pin', occasion, expired: false });
    expect(decision).toMatchObject({
      record: {
        fingerprint: B,
        spki: presented.spki,
        firstSeenSeconds: PIN.firstSeenSeconds,
        lastSeenSeconds: NOW_MS / 1000,
        expiresSeconds: presented.notAfterMs / 1000,
        extra: PIN.extra,
      },
    });
  });

  test.each([
    ['neither holds', PIN, NEW_KEY, RENEWING],
    ['the end of the pin is unknown', { ...PIN, expiresSeconds: null }, NEW_KEY, RENEWING],
    [
      'only the other kind is allowed (same key)',
      EXPIRED_PIN,
      NEW_KEY,
      { ...STRICT, renewal: { expired: false, sameKey: true } },
    ],
    ['only the other kind is allowed (expired)', PIN, OTHER, { ...STRICT, renewal: { expired: true, sameKey: false } }],
    ['it is expired itself', EXPIRED_PIN, { ...OTHER, notAfterMs: NOW_MS - 1 }, RENEWING],
    ['it is not valid yet', EXPIRED_PIN, { ...OTHER, notBeforeMs: NOW_MS + DAY_MS }, RENEWING],
    ['no key is known on either side', { ...PIN, spki: null }, { ...OTHER, spki: null }, RENEWING],
  ])('is no renewal when %s', (_, pin, presented, policy) => {
    expect(decidePin(pin, presented, NOW_MS, policy)).toMatchObject({ kind: 'changed' });
  });
});
