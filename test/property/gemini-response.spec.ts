import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ResponseReader, type ReadEnd } from '../../src/gemini/core/response-reader.js';

const ENDS: readonly ReadEnd[] = ['closed', 'cut', 'expired', 'overlong'];

/** Bytes that come close to a response now and then. */
const response = fc
  .array(
    fc.oneof(
      fc.constantFrom('20 ', '51 ', '30 ', '10 ', '44', '2', ' ', '\r\n', '\n', '\r', 'text/gemini', '\ufeff', 'é'),
      fc.string({ maxLength: 12 }),
      fc.string({ minLength: 1000, maxLength: 1100 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.from(parts.join('')));

function outcome(chunks: readonly Buffer[], maxBytes: number, end: ReadEnd): { result: unknown; done: boolean } {
  const reader = new ResponseReader({ maxBytes, wantsBody: () => true });
  for (const chunk of chunks) reader.push(chunk);
  return { result: reader.finish(end), done: reader.done };
}

describe('reading a response', () => {
  test('the cuts between chunks make no difference', () => {
    fc.assert(
      fc.property(
        response,
        fc.array(fc.nat(2000), { maxLength: 6 }),
        fc.integer({ min: 1, max: 2500 }),
        fc.constantFrom(...ENDS),
        (bytes, cuts, maxBytes, end) => {
          const whole = outcome([bytes], maxBytes, end);
          const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
          expect(outcome(chunks, maxBytes, end)).toEqual(whole);
          expect(
            outcome(
              Array.from(bytes, (byte) => Buffer.of(byte)),
              maxBytes,
              end,
            ),
          ).toEqual(whole);
        },
      ),
    );
  });

  test('what follows a response that is over makes no difference', () => {
    fc.assert(
      fc.property(response, fc.uint8Array({ maxLength: 50 }), fc.constantFrom(...ENDS), (bytes, more, end) => {
        const alone = outcome([bytes], 100_000, end);
        fc.pre(alone.done);
        expect(outcome([bytes, Buffer.from(more)], 100_000, end)).toEqual(alone);
        expect(outcome([Buffer.concat([bytes, more])], 100_000, end)).toEqual(alone);
      }),
    );
  });

  test('never more than the limit is kept', () => {
    fc.assert(
      fc.property(response, fc.integer({ min: 1, max: 2000 }), (bytes, maxBytes) => {
        const reader = new ResponseReader({ maxBytes, wantsBody: () => true });
        reader.push(Buffer.concat([Buffer.from('20 \r\n'), bytes]));
        const read = reader.finish('closed');
        expect(read?.ok && read.value.body.length).toBeLessThanOrEqual(Math.max(0, maxBytes - 5));
      }),
    );
  });
});
