import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_META_BYTES } from '../../src/gemini/core/header.js';
import { ResponseReader as GeminiReader, type ReadEnd } from '../../src/gemini/core/response-reader.js';
import { ResponseReader as GopherReader, type Ending, type Framing } from '../../src/gopher/core/response-reader.js';
import { bytesOf, bytesOfText, chunksOf, cuts, hostileBytes, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const maxBytes = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 40_000 }));

const answer = textOf('1a\t/a\th\t70\r\n', 'text\n', '\r\n.\r\n', '\n.\n', '.', '.\n', '\r', '\0', ' ', '\t');
const gopherInput = fc.record({
  framing: fc.constantFrom<Framing>('menu', 'text', 'binary'),
  body: fc.oneof({ weight: 4, arbitrary: bytesOfText(answer) }, { weight: 1, arbitrary: hostileBytes }),
  cuts,
  maxBytes,
  ending: fc.constantFrom<Ending>('closed', 'silence', 'expired', 'broken'),
});

export const gopherResponse = fuzzTarget(
  'gopher-response',
  gopherInput,
  ({ framing, body, cuts: at, maxBytes: cap, ending }) => {
    const bytes = bytesOf(body);
    const read = (
      chunks: readonly Buffer[],
    ): { readonly done: boolean; readonly result: ReturnType<GopherReader['finish']> } => {
      const reader = new GopherReader(framing, cap);
      const done = chunks.some((chunk) => reader.push(chunk) === 'done');
      return { done, result: reader.finish(ending) };
    };
    const whole = read(chunksOf(bytes, []));
    assert.deepEqual(read(chunksOf(bytes, at)), whole, 'chunks make a difference');
    const { result } = whole;
    if (result === null) return;
    assert.ok(result.body.length <= cap);
    assert.ok(bytes.subarray(0, result.body.length).equals(result.body), 'the body is no beginning of what arrived');
  },
);

const header = textOf(
  ...[
    '20 text/gemini\r\n',
    '20 text/plain; charset=utf-8\r\n',
    '31 /x\r\n',
    '44 5\r\n',
    '51\r\n',
    '60 cert\r\n',
    '10 in\r\n',
    '2',
    '0',
    ' ',
  ],
  ...['\r\n', '\n', '\r', '00 x\r\n', '99\r\n', '222 x\r\n', 'x'.repeat(1100), '59 bad\r\n'],
);
const geminiInput = fc.record({
  bytes: fc.oneof({ weight: 4, arbitrary: bytesOfText(header) }, { weight: 1, arbitrary: hostileBytes }),
  cuts,
  maxBytes,
  wantsBody: fc.boolean(),
  end: fc.constantFrom<ReadEnd>('closed', 'cut', 'expired', 'overlong'),
});

export const geminiResponse = fuzzTarget(
  'gemini-response',
  geminiInput,
  ({ bytes: characters, cuts: at, maxBytes: cap, wantsBody, end }) => {
    const bytes = bytesOf(characters);
    const read = (chunks: readonly Buffer[]): unknown => {
      const reader = new GeminiReader({ maxBytes: cap, wantsBody: () => wantsBody });
      for (const chunk of chunks) if (reader.push(chunk) === 'done') break;
      return { done: reader.done, result: reader.finish(end) };
    };
    const whole = new GeminiReader({ maxBytes: cap, wantsBody: () => wantsBody });
    if (bytes.length > 0) whole.push(bytes);
    const result = whole.finish(end);
    assert.deepEqual(read(chunksOf(bytes, at)), { done: whole.done, result }, 'chunks make a difference');
    if (result === null) return;
    if (!result.ok) {
      assert.equal(result.error.code, 'PROTOCOL_ERROR');
      return;
    }
    const { header: parsed, body } = result.value;
    assert.ok(parsed.status >= 10 && parsed.status <= 69);
    assert.ok(Buffer.byteLength(parsed.meta) <= MAX_META_BYTES);
    assert.ok(body.length <= cap);
    if (parsed.status < 20 || parsed.status > 29) assert.equal(body.length, 0);
  },
);
