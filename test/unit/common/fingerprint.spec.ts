import { describe, expect, test } from '@jest/globals';
import {
  canonicalFingerprint,
  parseFingerprint,
  prefixedFingerprint,
  sameFingerprint,
} from '../../../src/common/fingerprint.js';

const HEX = 'ab'.repeat(32);
const COLONS = Array.from({ length: 32 }, () => 'AB').join(':');

describe('parseFingerprint', () => {
  test.each([
    ['as it is', HEX],
    ['in upper case', HEX.toUpperCase()],
    ['with colons', COLONS],
    ['with a prefix', `sha256:${HEX}`],
    ['with a prefix in upper case and colons', `SHA256:${COLONS}`],
    ['with outer spaces', `  ${HEX}\n`],
  ])('reads a fingerprint %s', (_, text) => {
    expect(parseFingerprint(text)).toBe(HEX);
  });

  test.each([
    ['nothing', ''],
    ['one digit short', HEX.slice(1)],
    ['one digit long', `${HEX}a`],
    ['other letters', 'zz'.repeat(32)],
    ['a space inside', `${HEX.slice(0, 32)} ${HEX.slice(32)}`],
    ['two prefixes', `sha256:sha256${HEX}`],
  ])('refuses %s', (_, text) => {
    expect(parseFingerprint(text)).toBeNull();
  });
});

test('canonicalFingerprint keeps what is no fingerprint, in one spelling', () => {
  expect(canonicalFingerprint(' SHA256:Z:Z ')).toBe('zz');
});

test('canonicalFingerprint of what it gave changes nothing, whatever stood between colons and spaces', () => {
  const once = canonicalFingerprint(':: \u3000x:');
  expect(once).toBe('x');
  expect(canonicalFingerprint(once)).toBe(once);
});

test('sameFingerprint compares whole values, of any length', () => {
  expect(sameFingerprint(HEX, HEX)).toBe(true);
  expect(sameFingerprint(HEX, `${HEX.slice(0, -1)}c`)).toBe(false);
  expect(sameFingerprint(HEX, HEX.slice(0, -1))).toBe(false);
  expect(sameFingerprint('', '')).toBe(true);
});

test('prefixedFingerprint is what parseFingerprint reads', () => {
  expect(prefixedFingerprint(HEX)).toBe(`sha256:${HEX}`);
  expect(parseFingerprint(prefixedFingerprint(HEX))).toBe(HEX);
});
