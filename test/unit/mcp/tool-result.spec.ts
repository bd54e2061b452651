import { describe, expect, test } from '@jest/globals';
import { failure } from '../../../src/common/error-codes.js';
import { payload, type ResultPayload } from '../../../src/common/payload.js';
import {
  encodeBatch,
  encodeRefusal,
  encodeSingle,
  indentLong,
  type EncodedResult,
} from '../../../src/mcp/tool-result.js';
import { PrettyMemo } from '../../../src/mcp/pretty-memo.js';
import { finish } from '../../../src/common/steps.js';
import { escapedPretty } from '../../../src/common/escaped-pretty.js';

/** What a client reads out of the spliced members. */
function read({ members }: EncodedResult) {
  return JSON.parse(`{${Buffer.concat([...members]).toString()}}`);
}

const MENU: ResultPayload = payload(
  { kind: 'menu', items: [{ title: 'a "quoted"\ttitle \\ é😀', port: 70 }], empty: [], none: {}, next: null },
  { cached: true, cache_age_seconds: 1.5, request_info: { url: 'gopher://h/', timestamp: 'now' } },
);

describe('encodeSingle', () => {
  test.each([
    ['with a stamp', MENU],
    ['without one', payload({ kind: 'text', text: '' })],
    ['with an empty echo', payload({ kind: 'error', error: { code: 'X' } }, { request_info: {} })],
  ])('%s gives the same JSON twice, the text indented by two', (_name, result) => {
    // Often enough that the remembered form is read as well.
    for (let time = 0; time < 3; time++) {
      const { content, structuredContent } = read(encodeSingle(result));
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }]);
      expect(structuredContent.kind).toBe(result.kind);
    }
  });

  test('is an error when the kind says so, and only then', () => {
    expect(encodeSingle(payload({ kind: 'error', error: {} })).isError).toBe(true);
    expect(encodeSingle(MENU).isError).toBe(false);
  });
});

describe('encodeBatch', () => {
  test('gives one block an item, wraps the list, and is no error whatever is in it', () => {
    const encoded = encodeBatch([MENU, payload({ kind: 'error', error: { code: 'X' } })]);
    const { content, structuredContent } = read(encoded);
    expect(encoded.isError).toBe(false);
    expect(structuredContent.result).toHaveLength(2);
    expect(content.map(({ text }: { text: string }) => JSON.parse(text))).toEqual(structuredContent.result);
  });

  test('an empty list has no block', () => {
    expect(read(encodeBatch([]))).toEqual({ content: [], structuredContent: { result: [] } });
  });
});

test('a refusal takes the shape of the tool it answers for', () => {
  const refused = failure('INVALID_REQUEST', 'no', { reason: 'argument' });
  const error = {
    kind: 'error',
    error: { code: 'INVALID_REQUEST', message: 'no', reason: 'argument' },
    request_info: {},
  };
  expect(read(encodeRefusal(refused, false)).structuredContent).toEqual(error);
  expect(read(encodeRefusal(refused, true)).structuredContent).toEqual({ result: [error] });
  expect([encodeRefusal(refused, false).isError, encodeRefusal(refused, true).isError]).toEqual([true, true]);
});

describe('a long result', () => {
  const long = payload({ kind: 'text', text: 'a "line"\n'.repeat(200_000) }, { cached: false });

  test('is written as it would be at once, after work that can be interrupted', () => {
    const steps = indentLong([MENU, long]);
    if (steps === null) throw new Error('nothing is long');
    const indented = finish(steps);
    expect(indented.size).toBe(1);
    const bytes = ({ members }: EncodedResult): string => Buffer.concat([...members]).toString();
    expect(bytes(encodeSingle(long, indented)) === bytes(encodeSingle(long))).toBe(true);
    expect(bytes(encodeBatch([MENU, long], false, indented)) === bytes(encodeBatch([MENU, long]))).toBe(true);
  });

  test('is the only one that costs such work', () => {
    expect(indentLong([MENU, MENU])).toBeNull();
  });
});

describe('PrettyMemo', () => {
  const members = (size: number): Buffer => Buffer.from(`"text":"${'x'.repeat(size)}"`);

  test('keeps what is asked for twice, and nothing that is asked for once', () => {
    const memo = new PrettyMemo(100_000);
    const page = members(1000);
    expect(memo.membersOf(page)).toEqual(escapedPretty(page, 1));
    expect(memo.bytes).toBe(0);
    const second = memo.membersOf(page);
    expect(memo.bytes).toBeGreaterThan(2000);
    expect(memo.membersOf(page)).toEqual(second);
  });

  test('stays within its bytes and forgets what was not used for longest', () => {
    const memo = new PrettyMemo(7000);
    const [a, b, c] = [members(1000), members(1000), members(1000)];
    for (const page of [a, a, b, b, c, c]) memo.membersOf(page);
    const full = memo.bytes;
    memo.membersOf(a);
    const d = members(1000);
    memo.membersOf(d);
    memo.membersOf(d);
    expect(memo.bytes).toBe(full);
    expect(memo.bytes).toBeLessThanOrEqual(7000);
    // `a` was used again, so `b` is the one that went: asking for it does not find it.
    const kept = memo.membersOf(a);
    expect(memo.membersOf(a)).toBe(kept);
  });

  test('does not keep what is larger than all its room', () => {
    const memo = new PrettyMemo(100);
    const page = members(1000);
    memo.membersOf(page);
    memo.membersOf(page);
    expect(memo.bytes).toBe(0);
  });
});
