import { describe, expect, test } from '@jest/globals';
import {
  ResponseReader,
  type Ending,
  type Framing,
  type ReadBody,
} from '../../../../src/gopher/core/response-reader.js';

interface Read {
  /** What the reader wanted after the last chunk it took. */
  readonly state: string;
  readonly result: (ending: Ending) => ReadBody | null;
}

function read(framing: Framing, chunks: readonly Buffer[], maxBytes = 1000): Read {
  const reader = new ResponseReader(framing, maxBytes);
  let state = 'more';
  for (const chunk of chunks) {
    state = reader.push(chunk);
    if (state === 'done') break;
  }
  return { state, result: (ending) => reader.finish(ending) };
}

function bytewise(body: string): Buffer[] {
  return [...Buffer.from(body)].map((byte) => Buffer.from([byte]));
}

/** Whole and byte by byte. */
const CUTS: readonly (readonly [string, (body: string) => Buffer[]])[] = [
  ['whole', (body) => [Buffer.from(body)]],
  ['byte by byte', bytewise],
];

describe.each(CUTS)('%s', (_, cut) => {
  test.each([
    ['0a\t/a\th\t70\r\n.\r\n', '0a\t/a\th\t70\r\n.\r'],
    ['a\n.\n', 'a\n.\n'],
    ['a\n. \t\r\n', 'a\n. \t\r'],
    ['.\r\n', '.\r'],
    ['a\n.b\n..\n.\n', 'a\n.b\n..\n.\n'],
    ['a\n\n.\n', 'a\n\n.\n'],
  ])('menu %j is over at its lone dot, whatever follows', (menu, body) => {
    for (const trailing of ['', 'more', '\r\n.\r\n']) {
      const { state, result } = read('menu', cut(menu + trailing));
      expect(state).toBe('done');
      expect(result('closed')).toEqual({ body: Buffer.from(body), incomplete: null });
    }
  });

  test.each(['', '0a\t/a\th\t70\r\n', 'a.\n', 'a\n.b\n', 'a\n..\n', 'a\n. b\n', 'a\n.'])('menu %j goes on', (menu) => {
    expect(read('menu', cut(menu)).state).toBe('more');
  });

  test.each(['a\r\n.\r\n', 'a\n.\n\n\n', 'a\n.\n\0\0\0', '.\n', 'a\n.\nb\n.\r\n'])('text %j may be over', (text) => {
    const { state, result } = read('text', cut(text));
    expect(state).toBe('silence');
    for (const ending of ['silence', 'closed', 'expired', 'broken'] as const) {
      expect(result(ending)).toEqual({ body: Buffer.from(text), incomplete: null });
    }
  });

  test.each(['', 'a\n', 'a.\n', 'a\n.', 'a\n.\nb', 'a\n..\n', 'a\r.\r'])('text %j goes on', (text) => {
    expect(read('text', cut(text)).state).toBe('more');
  });

  test('binary ends with the connection alone', () => {
    const { state, result } = read('binary', cut('\n.\r\n'));
    expect(state).toBe('more');
    expect(result('closed')).toEqual({ body: Buffer.from('\n.\r\n'), incomplete: null });
  });

  test('a body of exactly the cap is complete if the server closes, cut if it does not', () => {
    const { state, result } = read('text', cut('x'.repeat(8)), 8);
    expect(state).toBe('silence');
    expect(result('closed')).toEqual({ body: Buffer.from('xxxxxxxx'), incomplete: null });
    expect(result('silence')).toEqual({ body: Buffer.from('xxxxxxxx'), incomplete: 'size_cap' });
    expect(result('expired')).toEqual({ body: Buffer.from('xxxxxxxx'), incomplete: 'size_cap' });
  });

  test('beyond the cap nothing is kept', () => {
    const { state, result } = read('text', cut('x'.repeat(9)), 8);
    expect(state).toBe('done');
    expect(result('closed')).toEqual({ body: Buffer.from('xxxxxxxx'), incomplete: 'size_cap' });
  });

  test('a menu that ends within the cap is complete whatever follows', () => {
    const { state, result } = read('menu', cut('a\n.\nrest'), 6);
    expect(state).toBe('done');
    expect(result('closed')).toEqual({ body: Buffer.from('a\n.\n'), incomplete: null });
  });

  test('what arrived before the time was spent is kept, what a reset cut is not', () => {
    const { result } = read('text', cut('half'));
    expect(result('expired')).toEqual({ body: Buffer.from('half'), incomplete: 'timeout' });
    expect(result('broken')).toBeNull();
  });
});

test('without a byte there is nothing but the close to go by', () => {
  const { result } = read('text', []);
  expect(result('expired')).toBeNull();
  expect(result('broken')).toBeNull();
  expect(result('closed')).toEqual({ body: Buffer.alloc(0), incomplete: null });
});

test('a body in one piece is not copied', () => {
  const chunk = Buffer.from('piece');
  const { result } = read('binary', [chunk]);
  expect(result('closed')?.body).toBe(chunk);
});
