import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { decodeBody } from '../../src/gopher/core/document.js';
import { renderWindow, type Rendered, type Window } from '../../src/gopher/core/render.js';
import { sanitizeField } from '../../src/common/text/sanitize.js';
import { parseGopherUrl } from '../../src/gopher/core/url.js';

const ORIGIN = { type: '1', host: 'own.example', port: 70 };
const ALL: Window = { offset: 0, maxItems: 0, maxChars: 0, maxBytes: 0, format: 'full' };
const LIMITS = { maxSelectorLength: 100_000, maxSearchLength: 256 };

function render(type: string, body: Buffer, window: Partial<Window> = {}): Rendered {
  const decoded = decodeBody(type, body, false, 'h');
  if (!decoded.ok) throw new Error(decoded.error.message);
  return finish(renderWindow(decoded.value, { ...ORIGIN, type }, { ...ALL, ...window }));
}

interface Item {
  readonly [member: string]: unknown;
  readonly next_url: string;
}

function itemsOf({ members }: Rendered): readonly Item[] {
  const { items } = members;
  return Array.isArray(items) ? items : [];
}

const field = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1Title',
    'iinfo',
    '/sel',
    'example.org',
    '70',
    '0',
    '99999',
    ' 71 ',
    'URL:x',
    '[::1]',
    'a@b',
    'é',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const line = fc.array(field, { maxLength: 6 }).map((fields) => fields.join('\t'));
const lineEnd = fc.constantFrom('\r\n', '\n', '\r', '\n.\r\n');
const menuText = fc.array(fc.tuple(line, lineEnd), { maxLength: 12 }).map((lines) => lines.flat().join(''));
const menuBody = fc.oneof(
  menuText.map((text) => Buffer.from(text)),
  menuText.map((text) => Buffer.from(text, 'latin1')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

describe('menus', () => {
  test('any bytes give items without hidden characters, whose gopher links can be asked for', () => {
    fc.assert(
      fc.property(menuBody, (body) => {
        for (const item of itemsOf(render('1', body))) {
          for (const value of Object.values(item)) {
            if (typeof value === 'string') expect(sanitizeField(value)).toBe(value);
          }
          const { next_url: url, selector } = item;
          const isWebLink = /^\/?URL:./s.test(String(selector));
          if (url.startsWith('gopher://') && !isWebLink) expect(parseGopherUrl(url, null, LIMITS).ok).toBe(true);
        }
      }),
    );
  });

  test('windows of any size put together are the whole', () => {
    const bounds = { maxItems: fc.integer({ min: 1, max: 5 }), maxBytes: fc.constantFrom(0, 1, 200, 400) };
    fc.assert(
      fc.property(menuBody, fc.record(bounds), (body, window) => {
        const whole = itemsOf(render('1', body));
        const pieces: Item[] = [];
        let last: Rendered | undefined;
        for (let offset: number | null = 0; offset !== null; offset = last.nextOffset) {
          last = render('1', body, { ...window, offset });
          pieces.push(...itemsOf(last));
        }
        expect(pieces).toEqual(whole);
        if (last?.members.kind === 'menu') expect(last.members['total_items']).toBe(whole.length);
      }),
    );
  });

  test.each([
    ['items', '0Item\t/sel\texample.org\t70\r\n'],
    ['one long line', 'x'],
    ['tabs', '\t'],
    ['line ends', '\n'],
    ['CR', 'a\r'],
    ['lines without tabs', 'abc\n'],
    ['blanks', ' '],
    ['dots', '.'],
    ['other hosts each time', null],
    ['bytes that are not UTF-8', '0\xe9\t/\xe9\th\t70\n'],
  ])('time is linear in %s', (_, unit) => {
    const body = (bytes: number): Buffer => {
      if (unit !== null) return Buffer.from(unit.repeat(bytes / unit.length), 'latin1');
      const lines = Array.from({ length: bytes / 32 }, (__, i) => `0Item\t/sel\thost${i}.example\t70\n`);
      return Buffer.from(lines.join(''));
    };
    // Some items are passed over, as for a later window.
    const cpuMs = (bytes: Buffer): number => {
      const before = process.cpuUsage();
      render('1', bytes, { offset: 1000, maxItems: 2000 });
      return process.cpuUsage(before).user / 1000;
    };
    const least = (bytes: Buffer): number => Math.min(...Array.from({ length: 3 }, () => cpuMs(bytes)));
    const small = least(body(1 << 20));
    const large = least(body(1 << 22));
    // Quadratic work takes sixteen times as long on four times the input, and minutes on a MiB: the floor keeps out the noise
    // of short runs (compilation, collection) and lets nothing quadratic through.
    expect(large).toBeLessThan(Math.max(small, 40) * 10);
  });
});
