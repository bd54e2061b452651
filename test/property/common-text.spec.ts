import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, encodeText } from '../../src/common/text/charset.js';
import { advanceCodePoints, countCodePoints } from '../../src/common/text/code-points.js';
import { percentDecodeToBytes, percentEncode } from '../../src/common/text/percent.js';
import { hasDroppable, sanitizeField, sanitizeText } from '../../src/common/text/sanitize.js';

/** Pieces that the sanitiser treats in special ways, so that random text meets its rules. */
const PIECES = [
  ...Array.from('ab_ \n\r\t\b\0\x07\x1b\x7f\x85\x90\x9b\x9c\x9d[]\\mP0;1(B'),
  ...['\xa0', '\xad', '\u0600', '\u061c', '\u200b', '\u200c', '\u200d', '\u202e', '\u2028', '\u2065', '\u180b'],
  ...[
    '\ufe0f',
    '\ufe00',
    '\ufeff',
    '\ue000',
    '\ud800',
    '\udc00',
    '葛',
    '👩',
    '🏳',
    '\u{e0041}',
    '\u{e0100}',
    '\u{f0000}',
  ],
];

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
);

/** What a terminal acts on or a person does not see, without the characters that are kept in places. */
const NEVER =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]|[\p{Cs}\p{Co}]|[\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector}{2}|[\u200c\u200d]{4}/u;

describe('the display sanitiser', () => {
  test('its output holds nothing that is dropped', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(sanitizeText(text)).not.toMatch(NEVER);
        expect(sanitizeField(text)).not.toMatch(NEVER);
        expect(sanitizeField(text)).not.toMatch(/[\t\n\r]/);
      }),
    );
  });

  test('sanitising twice changes nothing', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const body = sanitizeText(text);
        const field = sanitizeField(text);
        expect(sanitizeText(body)).toBe(body);
        expect(sanitizeField(field)).toBe(field);
        expect(hasDroppable(field)).toBe(false);
      }),
    );
  });

  test('what it keeps is there in the same order', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        let from = 0;
        for (const character of sanitizeText(text)) {
          const at = text.indexOf(character, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + character.length;
        }
      }),
    );
  });

  test('text without controls and escapes keeps every visible character', () => {
    const visible = fc.string({ unit: fc.constantFrom(...Array.from('aZ9 _é葛שم☃')), maxLength: 60 });
    const invisible = fc.constantFrom('\u200b', '\u202e', '\ufeff', '\u{e0041}', '\xad');
    fc.assert(
      fc.property(fc.array(fc.tuple(visible, invisible)), (pairs) => {
        expect(sanitizeText(pairs.flat().join(''))).toBe(pairs.map(([kept]) => kept).join(''));
      }),
    );
  });
});

describe('linear time on hostile text', () => {
  const SIZE = 1 << 18;

  test.each([
    ['unterminated control strings', '\x1b]'],
    ['long unterminated control strings', `\x1b]${'x'.repeat(5000)}`],
    ['C1 introducers', '\x9d\x90\x9b'],
    ['unterminated control sequences', `\x1b[${'1;'.repeat(200)}`],
    ['escapes with intermediates', `\x1b${' '.repeat(300)}`],
    ['overstrike', 'a\b'],
    ['selectors', 'a\ufe0f\ufe0f'],
    ['joiners', '\u200d\u200c'],
    ['every second unit dropped', 'a\0'],
  ])('%s', (_, unit) => {
    const small = unit.repeat(Math.ceil(SIZE / unit.length));
    const large = small.repeat(4);
    sanitizeText(small);
    expect(bestCpuMs(() => sanitizeText(large))).toBeLessThan(
      12 *
        Math.max(
          5,
          bestCpuMs(() => sanitizeText(small)),
        ),
    );
  });

  test('backspaces as many as characters before and after them', () => {
    const text = (size: number): string => 'a'.repeat(size) + '\b'.repeat(size) + 'b'.repeat(size);
    const small = text(SIZE / 4);
    const large = text(SIZE);
    expect(sanitizeText(small)).toBe('b'.repeat(SIZE / 4));
    expect(bestCpuMs(() => sanitizeText(large))).toBeLessThan(
      12 *
        Math.max(
          5,
          bestCpuMs(() => sanitizeText(small)),
        ),
    );
  });

  /** Processor time, which other work on the machine touches less than elapsed time. */
  function bestCpuMs(work: () => void): number {
    const runs = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      work();
      return process.cpuUsage(before).user / 1000;
    });
    return Math.min(...runs);
  }
});

describe('decodeText', () => {
  const label = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.constantFrom(
      'utf-8',
      'utf-16',
      'utf-16be',
      'utf-32',
      'windows-1252',
      'cp437',
      'shift_jis',
      'euc-kr',
      'gb18030',
      'big5',
    ),
    fc.constantFrom('iso-2022-jp', 'euc-jp', 'tcvn', 'viscii', 'x-mac-cyrillic', 'iso-8859-8-i', 'us-ascii'),
  );
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

  test('gives a text for any bytes under any label, and says whether some were lost', () => {
    fc.assert(
      fc.property(bytes, label, (body, declared) => {
        const { text, charset, lossy } = decodeText(body, declared);
        expect(typeof text).toBe('string');
        expect(charset).not.toBe('');
        if (lossy) expect(text).toContain('\ufffd');
      }),
    );
  });

  test('reads valid UTF-8 as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeText(Buffer.from(text), 'utf-8')).toEqual({ text, charset: 'utf-8', lossy: false });
      }),
    );
  });

  test('the bytes of an 8-bit charset come back from the text they gave', () => {
    const charset = fc.constantFrom(
      'windows-1252',
      'iso-8859-2',
      'koi8-r',
      'cp437',
      'cp850',
      'windows-1251',
      'macintosh',
    );
    fc.assert(
      fc.property(bytes, charset, (body, name) => {
        const decoded = decodeText(body, name);
        if (decoded.charset === name && !decoded.lossy) expect(encodeText(decoded.text, name)).toEqual(body);
      }),
    );
  });

  test('encodeText gives only bytes that stand for the text', () => {
    const charset = fc.constantFrom('windows-1252', 'koi8-r', 'cp437', 'shift_jis', 'gb18030', 'euc-kr', 'big5');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 10 }), charset, (text, name) => {
        const encoded = encodeText(text, name);
        if (encoded !== null)
          expect(decodeText(Buffer.concat([encoded, Buffer.from('.')]), name).text).toBe(`${text}.`);
      }),
    );
  });
});

describe('code points', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '𝒳', '\ud800', '\udc00') }),
  );

  test('are counted as string iteration counts them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countCodePoints(text)).toBe(Array.from(text).length);
      }),
    );
  });

  test('are walked as string iteration walks them', () => {
    fc.assert(
      fc.property(anyText, fc.nat(50), fc.nat(50), (text, start, by) => {
        const characters = Array.from(text);
        const from = characters.slice(0, start).join('').length;
        const expected = characters.slice(0, start + by).join('').length;
        expect(advanceCodePoints(text, from, by)).toBe(expected);
      }),
    );
  });
});

describe('percent escapes', () => {
  test('bytes come back from their escapes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const encoded = percentEncode(bytes, (byte) => byte !== 0x25 && byte > 0x20);
        expect(percentDecodeToBytes(encoded)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('text without a percent sign is its own UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replaceAll('%', '');
        expect(percentDecodeToBytes(plain)).toEqual(Buffer.from(plain));
      }),
    );
  });
});
