import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { sanitizeText } from '../../src/common/text/sanitize.js';
import { decodeBody } from '../../src/gopher/core/document.js';
import { htmlText } from '../../src/gopher/core/html-text.js';
import { renderWindow, type Rendered, type Window } from '../../src/gopher/core/render.js';
import { ResponseReader, type Ending, type Framing, type ReadBody } from '../../src/gopher/core/response-reader.js';

const REQUEST = { type: 'Z', host: 'h', port: 70 };
const ALL: Window = { offset: 0, maxItems: 0, maxChars: 0, maxBytes: 0, format: 'full' };

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('.', '\n', '\r', '\0', ' ', '"', 'é', '😀', '\u202e'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});
const body = fc.oneof(
  text.map((it) => Buffer.from(it)),
  text.map((it) => Buffer.from(it, 'latin1')),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);

function render(bytes: Buffer, window: Partial<Window>): Rendered | null {
  const decoded = decodeBody('Z', bytes, false, 'h');
  return decoded.ok && decoded.value.kind === 'text'
    ? finish(renderWindow(decoded.value, REQUEST, { ...ALL, ...window }))
    : null;
}

function textOf(rendered: Rendered | null): string {
  const shown = rendered?.members['text'];
  return typeof shown === 'string' ? shown : '';
}

describe('texts', () => {
  test('windows of any size put together are the whole, and each fits', () => {
    const bounds = { maxChars: fc.integer({ min: 1, max: 7 }), maxBytes: fc.constantFrom(0, 1, 125, 135) };
    fc.assert(
      fc.property(body, fc.record(bounds), (bytes, window) => {
        let joined = '';
        for (let offset: number | null = 0; offset !== null;) {
          const rendered = render(bytes, { ...window, offset });
          const shown = textOf(rendered);
          expect([...shown].length).toBeLessThanOrEqual(window.maxChars);
          joined += shown;
          offset = rendered?.nextOffset ?? null;
        }
        expect(joined).toBe(textOf(render(bytes, {})));
      }),
    );
  });

  test('hold neither hidden characters nor CR, and know their length', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        const rendered = render(bytes, {});
        const shown = textOf(rendered);
        expect(sanitizeText(shown)).toBe(shown);
        expect(shown).not.toContain('\r');
        if (rendered) expect(rendered.members['total_chars']).toBe([...shown].length);
      }),
    );
  });

  test('a framed text comes out as it went in', () => {
    const lines = fc.array(fc.stringMatching(/^[.a-z ]*$/), { maxLength: 8 });
    fc.assert(
      fc.property(lines, (plain) => {
        const framed = plain.map((it) => `${it.startsWith('.') ? `.${it}` : it}\r\n`).join('');
        const shown = textOf(render(Buffer.from(`${framed}.\r\n`), {}));
        expect(shown).toBe(plain.map((it) => `${it}\n`).join(''));
      }),
    );
  });
});

describe('reader', () => {
  const framing = fc.constantFrom<Framing>('menu', 'text', 'binary');
  const ending = fc.constantFrom<Ending>('closed', 'silence', 'expired', 'broken');
  const bytesWithDots = fc
    .array(fc.constantFrom('.', '\n', '\r', ' ', 'a', '\n.\r\n', '\0'), { maxLength: 30 })
    .map((parts) => Buffer.from(parts.join('')));

  function read(kind: Framing, chunks: readonly Buffer[], maxBytes: number, how: Ending): [string, ReadBody | null] {
    const reader = new ResponseReader(kind, maxBytes);
    let state = 'more';
    for (const chunk of chunks) {
      if (chunk.length === 0) continue;
      state = reader.push(chunk);
      if (state === 'done') break;
    }
    return [state, reader.finish(how)];
  }

  test('cuts between chunks change nothing', () => {
    fc.assert(
      fc.property(
        framing,
        bytesWithDots,
        fc.integer({ min: 1, max: 40 }),
        ending,
        fc.nat(30),
        (kind, bytes, cap, how, cut) => {
          const whole = read(kind, [bytes], cap, how);
          const bytewise = Array.from(bytes, (byte) => Buffer.from([byte]));
          expect(read(kind, bytewise, cap, how)).toEqual(whole);
          expect(read(kind, [bytes.subarray(0, cut), bytes.subarray(cut)], cap, how)).toEqual(whole);
        },
      ),
    );
  });

  test('never keeps more than the cap, and nothing but the start of what came', () => {
    fc.assert(
      fc.property(framing, bytesWithDots, fc.integer({ min: 1, max: 40 }), ending, (kind, bytes, cap, how) => {
        const [, result] = read(kind, [bytes], cap, how);
        if (result === null) return;
        expect(result.body.length).toBeLessThanOrEqual(cap);
        expect(bytes.subarray(0, result.body.length)).toEqual(result.body);
        if (result.incomplete === null && kind !== 'menu') expect(result.body).toEqual(bytes);
      }),
    );
  });
});

test('time is linear in the tags of an HTML page', () => {
  for (const unit of ['<', '<p', '<p>', '<script></script>', '<script>', '<!--', '<a href="', '&', '&#', '</']) {
    const cpuMs = (length: number): number => {
      const html = unit.repeat(length / unit.length);
      const before = process.cpuUsage();
      finish(htmlText(html));
      return process.cpuUsage(before).user / 1000;
    };
    const least = (length: number): number => Math.min(cpuMs(length), cpuMs(length));
    const small = least(1 << 18);
    expect(least(1 << 20)).toBeLessThan(Math.max(small, 40) * 10);
  }
});
