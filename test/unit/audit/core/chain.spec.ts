import { describe, expect, test } from '@jest/globals';
import { ChainCheck } from '../../../../src/audit/core/chain-check.js';
import { CHAIN_START, formatLink, HashChain, LineHash, openSeal, parseLink } from '../../../../src/audit/core/chain.js';

const KEY = 'ab'.repeat(32);

function sealed(count: number, key: string | null = null, from = CHAIN_START): string[] {
  const chain = new HashChain(new LineHash(key), from);
  return Array.from({ length: count }, (_, index) => chain.seal(JSON.stringify({ event: 'call', n: index })));
}

function check(lines: readonly string[], key: string | null = null) {
  const checking = new ChainCheck(new LineHash(key));
  for (const line of lines) checking.push(line);
  return checking.report();
}

describe('a sealed line', () => {
  test('is the JSON that it was, with number and hashes', () => {
    const [first, second] = sealed(2).map((line): unknown => JSON.parse(line));
    expect(first).toMatchObject({ event: 'call', n: 0, seq: 1, prev: CHAIN_START.hash });
    expect(second).toMatchObject({ n: 1, seq: 2, prev: (first as { hash: string }).hash });
  });

  test('does not take members of that name in a text for its own', () => {
    const chain = new HashChain(new LineHash(null), CHAIN_START);
    const forged = `{"tool":"x","seq":9,"prev":"${'0'.repeat(64)}","hash":"${'0'.repeat(64)}"}`;
    expect(openSeal(chain.seal(JSON.stringify({ tool: forged })))?.seq).toBe(1);
  });

  test.each(['', '{}', '{"event":"call"}', 'x'.repeat(1000)])('is not %p', (line) => {
    expect(openSeal(line)).toBeNull();
  });
});

describe('a chain', () => {
  test.each([null, KEY])('that is whole fits, also from its middle on (key %p)', (key) => {
    const lines = sealed(5, key);
    const [last] = lines.slice(-1).map((line) => openSeal(line));
    const link = { seq: last?.seq, hash: last?.hash };
    expect(check(lines, key)).toEqual({
      lines: 5,
      firstSeq: 1,
      last: link,
      broken: null,
      fragments: 0,
      isSoughtFound: true,
    });
    expect(check(lines.slice(2), key)).toEqual({
      lines: 3,
      firstSeq: 3,
      last: link,
      broken: null,
      fragments: 0,
      isSoughtFound: true,
    });
  });

  test('goes on where it stood', () => {
    const first = sealed(3);
    const last = openSeal(first.at(-1) ?? '') ?? CHAIN_START;
    expect(check([...first, ...sealed(2, null, { seq: last.seq, hash: last.hash })])).toMatchObject({
      lines: 5,
      broken: null,
    });
  });

  test.each([
    ['a changed text', (lines: string[]) => lines.with(2, lines[2]?.replace('call', 'cull') ?? ''), 3, 'changed'],
    ['a missing line', (lines: string[]) => lines.toSpliced(2, 1), 3, 'not the next'],
    ['a doubled line', (lines: string[]) => lines.toSpliced(2, 0, lines[1] ?? ''), 3, 'not the next'],
    [
      'two lines in each other\u2019s place',
      (lines: string[]) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''),
      2,
      'not the next',
    ],
    ['a line whose seal is gone', (lines: string[]) => lines.with(2, '{"event":"call"}'), 3, 'not sealed'],
    ['an end that is cut off', (lines: string[]) => lines.with(4, lines[4]?.slice(0, 50) ?? ''), 5, 'not sealed'],
    [
      'a line at its start that is not the first',
      (lines: string[]) => lines.with(0, sealed(1, null, { seq: 0, hash: '1'.repeat(64) })[0] ?? ''),
      1,
      'not the next',
    ],
  ])('breaks at %s', (_what, harm, line, reason) => {
    expect(check(harm(sealed(5))).broken).toEqual({ line, reason });
  });

  test('is looked through for a hash that was noted', () => {
    const lines = sealed(3);
    const looked = (hash: string): boolean => {
      const checking = new ChainCheck(new LineHash(null), hash);
      for (const line of lines) checking.push(line);
      return checking.report().isSoughtFound;
    };
    expect(looked(openSeal(lines[1] ?? '')?.hash ?? '')).toBe(true);
    expect(looked('0'.repeat(64))).toBe(false);
  });

  test('does not fit another key, or none', () => {
    expect(check(sealed(2, KEY), 'cd'.repeat(32)).broken).toEqual({ line: 1, reason: 'changed' });
    expect(check(sealed(2, KEY)).broken).toEqual({ line: 1, reason: 'changed' });
  });

  test('goes on behind a piece of a line that a crash left', () => {
    const lines = sealed(4);
    expect(check(lines.toSpliced(2, 0, '{"event":"ca'))).toMatchObject({ lines: 4, broken: null, fragments: 1 });
  });

  test('tells the first break, not later ones', () => {
    const lines = sealed(6).with(1, 'x').with(4, 'y');
    expect(check(lines).broken).toEqual({ line: 2, reason: 'not sealed' });
  });
});

describe('a noted link', () => {
  test('is read as it was written', () => {
    const link = { seq: 12, hash: 'ab'.repeat(32) };
    expect(parseLink(formatLink(link))).toEqual(link);
  });

  test.each(['', '{}', '{"seq":-1,"hash":"ab"}', `{"seq":1,"hash":"${'AB'.repeat(32)}"}`])('is not %p', (text) => {
    expect(parseLink(text)).toBeNull();
  });
});
