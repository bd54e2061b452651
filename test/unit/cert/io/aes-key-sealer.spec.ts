import { describe, expect, test } from '@jest/globals';
import { AesKeySealer } from '../../../../src/cert/io/aes-key-sealer.js';

const KEY = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const STEM = '0123456789abcdef0123456789abcdef';
const PEM = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n';

const sealer = new AesKeySealer(KEY);

/** `sealed` with the character at `index` of its base64 replaced. */
function tampered(sealed: string, index: number): string {
  const start = sealed.lastIndexOf(':') + 1 + index;
  const character = sealed.charAt(start) === 'A' ? 'B' : 'A';
  return sealed.slice(0, start) + character + sealed.slice(start + 1);
}

describe('with a state key', () => {
  test('what is sealed opens again, and shows nothing of key or content', () => {
    const sealed = sealer.seal(STEM, PEM);
    expect(sealed).toMatch(/^gopher-mcp-key:1:[0-9a-f]{16}:[A-Za-z0-9+/]+={0,2}\n$/);
    expect(sealed).not.toContain(KEY.slice(0, 8));
    expect(Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64').includes('PRIVATE')).toBe(false);
    expect(sealer.open(STEM, sealed)).toEqual({ ok: true, value: PEM });
  });

  test('the same key is sealed differently each time', () => {
    expect(sealer.seal(STEM, PEM)).not.toBe(sealer.seal(STEM, PEM));
  });

  test('a plain key opens as it is', () => {
    expect(sealer.open(STEM, PEM)).toEqual({ ok: true, value: PEM });
  });

  test('what was sealed with the key before opens, and is not current', () => {
    const sealed = new AesKeySealer(OTHER).seal(STEM, PEM);
    const both = new AesKeySealer(KEY, OTHER);
    expect(both.open(STEM, sealed)).toEqual({ ok: true, value: PEM });
    expect([both.isCurrent(sealed), both.isCurrent(PEM), both.isCurrent(both.seal(STEM, PEM))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('another key does not open it, and the id tells which one would', () => {
    const sealed = sealer.seal(STEM, PEM);
    const keyId = sealed.split(':')[2];
    for (const other of [new AesKeySealer(OTHER), new AesKeySealer(null)])
      expect(other.open(STEM, sealed)).toEqual({ ok: false, error: { kind: 'other_key', keyId } });
  });

  test.each([
    ['for another identity', (sealed: string) => sealed, 'f'.repeat(32)],
    ['with another nonce', (sealed: string) => tampered(sealed, 0), STEM],
    ['with another ciphertext', (sealed: string) => tampered(sealed, 30), STEM],
    ['cut short', (sealed: string) => `${sealed.slice(0, -12)}\n`, STEM],
    ['without content', (sealed: string) => sealed.slice(0, sealed.lastIndexOf(':') + 1) + 'AAAA', STEM],
    ['of a later format', (sealed: string) => sealed.replace(':1:', ':2:'), STEM],
    ['with junk', () => 'gopher-mcp-key:', STEM],
  ])('one %s does not open and is never taken for a plain key', (_, change, stem) => {
    expect(sealer.open(stem, change(sealer.seal(STEM, PEM)))).toEqual({ ok: false, error: { kind: 'damaged' } });
  });

  test('the tag holds to the last byte', () => {
    const sealed = sealer.seal(STEM, PEM);
    const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const text = sealed.slice(0, sealed.lastIndexOf(':') + 1) + changed.toString('base64');
      expect(sealer.open(STEM, text).ok).toBe(false);
    }
  });
});

test('without a state key nothing is sealed, and only plain is current', () => {
  const plain = new AesKeySealer(null);
  expect([plain.encrypts, sealer.encrypts]).toEqual([false, true]);
  expect(plain.seal(STEM, PEM)).toBe(PEM);
  expect([plain.isCurrent(PEM), plain.isCurrent(sealer.seal(STEM, PEM))]).toEqual([true, false]);
});
