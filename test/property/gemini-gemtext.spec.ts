import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { bytesAtMost, GEMTEXT_FORMS } from '../../src/gemini/core/gemtext-forms.js';
import { decodeBody, type GeminiDocument } from '../../src/gemini/core/document.js';
import type { GemtextLine, GemtextLink } from '../../src/gemini/core/gemtext.js';
import { parseMime } from '../../src/gemini/core/mime.js';
import { renderWindow, type DocumentWindow, type WindowLimits } from '../../src/gemini/core/render.js';

const PAGE_URL = 'gemini://host.example/dir/page.gmi';

const line = fc.oneof(
  fc.constantFrom('```', '```js', '=> /x Label', '=> https://w.example', '=> //[::1', '# T', '* i', '> q', '', '=>'),
  fc.string({ maxLength: 30, unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, '').trimEnd()),
);

/** Pages whose lines have no blanks at their ends, so that what is shown of them is what they hold. */
const page = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 30 })
  .map((lines) => lines.map((parts) => parts.join('')).join(''));

function documentOf(text: string, meta = 'text/gemini'): GeminiDocument & { kind: 'gemtext' | 'text' } {
  const declared = parseMime(meta);
  const document = decodeBody(declared.media!, declared, Buffer.from(text), false);
  if (document.kind === 'binary') throw new Error('not text');
  return document;
}

function windows(document: GeminiDocument, limits: Partial<WindowLimits>): DocumentWindow[] {
  const all: DocumentWindow[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const window: DocumentWindow = finish(
      renderWindow(document, PAGE_URL, {
        maxChars: 1_000_000,
        maxBytes: 0,
        format: 'full',
        ...limits,
        offset,
      }),
    );
    if (window.nextOffset !== null && window.nextOffset <= offset) throw new Error('no progress');
    all.push(window);
    offset = window.nextOffset;
  }
  return all;
}

function partsOf({ members }: DocumentWindow): { lines: GemtextLine[]; links: GemtextLink[] } {
  return members['document'] as unknown as { lines: GemtextLine[]; links: GemtextLink[] };
}

/** The lines of all windows, the pieces of a cut line put together. */
function gluedContents(all: readonly DocumentWindow[]): string[] {
  const contents: string[] = [];
  let isOpen = false;
  for (const window of all) {
    const [first, ...others] = partsOf(window).lines.map(({ content }) => content);
    if (first !== undefined) {
      if (isOpen) contents.push((contents.pop() ?? '') + first);
      else contents.push(first);
    }
    contents.push(...others);
    isOpen = window.members['partial_line'] === true;
  }
  return contents;
}

describe('windows of gemtext', () => {
  test('put together they are the page', () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 1, max: 60 }), (text, maxChars) => {
        const document = documentOf(text);
        expect(gluedContents(windows(document, { maxChars }))).toEqual(gluedContents(windows(document, {})));
      }),
    );
  });

  test('put together they are the page when bytes bound them, too', () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 1, max: 700 }), (text, maxBytes) => {
        const document = documentOf(text);
        expect(gluedContents(windows(document, { maxBytes }))).toEqual(gluedContents(windows(document, {})));
      }),
    );
  });

  test('where no line is cut, kinds and links are those of the page', () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 40, max: 200 }), (text, maxChars) => {
        const document = documentOf(text);
        const all = windows(document, { maxChars });
        fc.pre(all.every(({ members }) => members['partial_line'] === false));
        const [whole] = windows(document, {});
        expect(all.flatMap((window) => partsOf(window).lines)).toEqual(partsOf(whole!).lines);
        expect(all.flatMap((window) => partsOf(window).links)).toEqual(partsOf(whole!).links);
      }),
    );
  });

  test('no window exceeds its bounds', () => {
    fc.assert(
      fc.property(
        page,
        fc.integer({ min: 5, max: 80 }),
        fc.integer({ min: 300, max: 2000 }),
        fc.constantFrom('full', 'text', 'links', 'outline'),
        (text, maxChars, maxBytes, format) => {
          for (const { members } of windows(documentOf(text), { maxBytes, format })) {
            expect(Buffer.byteLength(JSON.stringify(members))).toBeLessThanOrEqual(maxBytes);
          }
          for (const window of windows(documentOf(text), { maxChars })) {
            const shown = partsOf(window).lines.map(({ content }) => content);
            expect([...shown.join('')].length).toBeLessThanOrEqual(maxChars);
          }
        },
      ),
      // A short page that is all of it: `false` and `null` are longer than `true` and a number of two digits.
      { examples: [['```js\n𐀀𐀀𐀀𐀀𐀀\n ࠀ𐀀ࠀ𐀀𐀀𐀀𐀀𐀀\n', 5, 300, 'full']] },
    );
  });

  test('the estimate of a line is never below what it takes', () => {
    fc.assert(
      fc.property(page, (text) => {
        for (const window of windows(documentOf(text), {})) {
          for (const one of partsOf(window).lines) {
            for (const form of Object.values(GEMTEXT_FORMS)) {
              const picked = form.pick(one, () => 100_000_000);
              if (picked) expect(bytesAtMost(picked)).toBeGreaterThanOrEqual(form.bytes(picked));
            }
          }
        }
      }),
    );
  });
});

test('windows of text put together are the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 400 }),
      (text, maxChars, maxBytes) => {
        const document = documentOf(text, 'text/plain');
        const shown = windows(document, { maxChars, maxBytes }).map(({ members }) => members['content']);
        expect(shown.join('')).toBe(document.text);
      },
    ),
  );
});

describe('floods are handled in linear time', () => {
  test.each([
    ['blanks before a target', `=>${' '.repeat(1_000_000)}/x y`],
    ['blanks behind a line', `# x${' '.repeat(1_000_000)}`],
    ['blanks alone', ' '.repeat(1_000_000)],
    ['backticks', '`'.repeat(1_000_000)],
    ['fences', '```\n'.repeat(100_000)],
    ['fences within a line', `x${' ```'.repeat(250_000)}`],
    ['dot segments', `=> ${'../'.repeat(300_000)}`],
    ['colons', `=> ${':'.repeat(1_000_000)}`],
    ['a long scheme', `=> ${'a'.repeat(1_000_000)}`],
    ['at signs', `=> //${'@'.repeat(1_000_000)} x`],
    ['number signs', '#'.repeat(1_000_000)],
    ['CR', '\r'.repeat(200_000)],
  ])('%s', (_, text) => {
    const document = documentOf(text);
    for (const limits of [
      {},
      { maxChars: 50_000 },
      { maxChars: 50_000, maxBytes: 262_144, format: 'outline' as const },
    ]) {
      const window = finish(
        renderWindow(document, PAGE_URL, {
          offset: 0,
          maxChars: 0,
          maxBytes: 0,
          format: 'full',
          ...limits,
        }),
      );
      expect(window.nextOffset).not.toBe(0);
    }
  });
});
