import { describe, expect, test } from '@jest/globals';
import { finish } from '../../../../src/common/steps.js';
import { decodeBody, type GeminiDocument } from '../../../../src/gemini/core/document.js';
import { finalMediaType } from '../../../../src/gemini/core/media.js';
import { parseMime } from '../../../../src/gemini/core/mime.js';
import { renderWindow, type DocumentWindow, type WindowLimits } from '../../../../src/gemini/core/render.js';

const PAGE_URL = 'gemini://h/dir/page';

function documentOf(meta: string, body: string | Buffer): GeminiDocument {
  const declared = parseMime(meta);
  const bytes = Buffer.from(body);
  return decodeBody(finalMediaType(declared, bytes), declared, bytes, false);
}

function rendered(meta: string, body: string, limits: Partial<WindowLimits> = {}): DocumentWindow {
  const all = { offset: 0, maxChars: 1_000_000, maxBytes: 0, format: 'full' as const, ...limits };
  return finish(renderWindow(documentOf(meta, body), PAGE_URL, all));
}

function gemtext(body: string, limits: Partial<WindowLimits> = {}): { [member: string]: unknown } {
  return rendered('text/gemini', body, limits).members;
}

function contents({ members }: DocumentWindow): string[] {
  const { lines } = members['document'] as unknown as { lines: { content: string }[] };
  return lines.map(({ content }) => content);
}

function bytesOf({ members }: DocumentWindow): number {
  return Buffer.byteLength(JSON.stringify(members));
}

describe('members', () => {
  test('of a text, in the order of the contract', () => {
    expect(Object.entries(rendered('text/plain; lang=en', 'é').members)).toEqual([
      ['kind', 'success'],
      ['mime_type', { type: 'text', subtype: 'plain', charset: 'utf-8', lang: 'en' }],
      ['content', 'é'],
      ['size', 2],
      ['truncated', false],
      ['total_chars', 1],
      ['next_offset', null],
      ['lossy', false],
    ]);
  });

  test('of gemtext', () => {
    expect(Object.entries(rendered('text/gemini', '=> x Y').members)).toEqual([
      ['kind', 'gemtext'],
      [
        'document',
        {
          lines: [{ type: 'link', content: '=> x Y', link: { url: 'gemini://h/dir/x', text: 'Y' } }],
          links: [{ url: 'gemini://h/dir/x', text: 'Y' }],
        },
      ],
      ['charset', 'utf-8'],
      ['lang', null],
      ['size', 6],
      ['truncated', false],
      ['partial_line', false],
      ['total_chars', 6],
      ['next_offset', null],
      ['lossy', false],
    ]);
  });

  test('of a binary body, whatever the offset', () => {
    expect(Object.entries(rendered('image/png', 'x', { offset: 7 }).members)).toEqual([
      ['kind', 'binary'],
      ['mime_type', { type: 'image', subtype: 'png', charset: 'utf-8', lang: null }],
      ['size', 1],
      ['note', expect.any(String)],
    ]);
  });
});

describe('windows of text', () => {
  const TEXT = '0123456789abcdefghijABCDE';

  test.each([
    [0, '0123456789', 10],
    [10, 'abcdefghij', 20],
    [20, 'ABCDE', null],
    [25, '', null],
    [999, '', null],
  ])('offset %i', (offset, content, next) => {
    const window = rendered('text/plain', TEXT, { offset, maxChars: 10 });
    expect(window.members).toMatchObject({ content, truncated: next !== null, next_offset: next, total_chars: 25 });
    expect(window.nextOffset).toBe(next);
  });

  test('offsets count code points', () => {
    const window = rendered('text/plain', '🦊a🦊b🦊', { offset: 1, maxChars: 3 });
    expect(window.members).toMatchObject({ content: 'a🦊b', next_offset: 4, total_chars: 5 });
  });

  test('the bytes of the members stay below their bound, which cuts no character', () => {
    const window = rendered('text/plain', '🦊"\n'.repeat(1000), { maxBytes: 500 });
    expect(bytesOf(window)).toBeLessThanOrEqual(500);
    expect(bytesOf(window)).toBeGreaterThan(480);
    expect(window.nextOffset).toBe([...String(window.members['content'])].length);
  });

  test('a bound that leaves no room still moves on by one character', () => {
    expect(rendered('text/plain', '🦊🦊', { maxBytes: 1 }).nextOffset).toBe(1);
  });
});

describe('windows of gemtext', () => {
  const PAGE = [
    'Line one is here\n',
    '=> gemini://x.example/target Label\n',
    '```\n=> fenced\nmore\n```\n',
    `${'W'.repeat(70)}\n`,
    '=> gemini://y.example/ end\n',
  ].join('');

  test.each([
    [0, ['Line one is here'], false, 17],
    [17, ['=> gemini://x.example/target Label', '```'], false, 56],
    [51, ['', '```', '=> fenced', 'more', '```'], false, 75],
    [72, ['``'], false, 75],
    [76, ['W'.repeat(40)], true, 116],
    [30, ['.example/target Label', '```', '=> fenced'], false, 66],
    [107, ['W'.repeat(38)], false, 146],
    [146, ['=> gemini://y.example/ end'], false, null],
    [9999, [], false, null],
  ])('offset %i', (offset, lines, partial, next) => {
    const window = rendered('text/gemini', PAGE, { offset, maxChars: 40 });
    expect(contents(window)).toEqual(lines);
    expect(window.members).toMatchObject({ partial_line: partial, truncated: next !== null, next_offset: next });
  });

  test('the last window of a long line is not partial', () => {
    const window = rendered('text/gemini', 'W'.repeat(50), { offset: 40, maxChars: 40 });
    expect(window.members).toMatchObject({ partial_line: false, next_offset: null });
  });

  test('a line with CRLF that just fits is whole', () => {
    const window = rendered('text/gemini', `# ${'H'.repeat(7)}\r\nnext`, { maxChars: 10 });
    expect(window.members).toMatchObject({ partial_line: false, next_offset: 11 });
    expect(gemtext(`# ${'H'.repeat(7)}\r\nnext`, { maxChars: 10 })).toMatchObject({
      document: { lines: [{ type: 'heading1' }] },
    });
  });

  test('what a long line within a block is cut into is preformatted', () => {
    expect(gemtext(`\`\`\`\n${'x'.repeat(50)}\n`, { offset: 4, maxChars: 10 })).toMatchObject({
      document: { lines: [{ type: 'preformat', content: 'xxxxxxxxxx' }] },
      partial_line: true,
    });
  });

  test('offsets count code points', () => {
    const window = rendered('text/gemini', '🦊🦊\n# é🦊\nlast\n', { offset: 3, maxChars: 7 });
    expect(contents(window)).toEqual(['# é🦊']);
    expect(window.nextOffset).toBe(8);
  });
});

describe('the bound on bytes', () => {
  test.each([
    ['blank lines', '\n'.repeat(5000)],
    ['links', '=> a\n'.repeat(2000)],
    ['links away', '=> https://web.example/ x\n'.repeat(2000)],
    ['headings', '#\n'.repeat(5000)],
    ['fences', '```\n'.repeat(5000)],
    ['languages', '```js\n```\n'.repeat(3000)],
    ['quotes and wide characters', '> "☃🦊\\"\n'.repeat(3000)],
    ['lists', '* x\n'.repeat(5000)],
  ])('a flood of %s is cut between lines, near the bound', (_, body) => {
    for (const format of ['full', 'text', 'links', 'outline'] as const) {
      const window = rendered('text/gemini', body, { maxBytes: 20_000, format });
      expect(bytesOf(window)).toBeLessThanOrEqual(20_000);
      if (format === 'full') {
        expect(bytesOf(window)).toBeGreaterThan(19_000);
        expect([...body][(window.nextOffset ?? 0) - 1]).toBe('\n');
        expect(window.members).toMatchObject({ partial_line: false, truncated: true });
      }
    }
  });

  test('it falls with the bound on characters: an operator who takes that away wants whole pages', () => {
    for (const meta of ['text/gemini', 'text/plain']) {
      expect(rendered(meta, 'x\n'.repeat(5000), { maxChars: 0, maxBytes: 1000 }).nextOffset).toBeNull();
    }
  });

  test('a page below the bound is not cut although its upper estimate is above it', () => {
    const body = `${'a'.repeat(8000)}\n`;
    expect(rendered('text/gemini', body, { maxBytes: 9000 }).nextOffset).toBeNull();
  });

  test('a line that is too long for it is cut and flagged; its rest follows', () => {
    const body = `=> /${'u'.repeat(3000)} label\nnext\n`;
    const first = rendered('text/gemini', body, { maxBytes: 2000 });
    expect(bytesOf(first)).toBeLessThanOrEqual(2000);
    expect(first.members).toMatchObject({ partial_line: true, document: { lines: [{ type: 'text' }], links: [] } });
    const second = rendered('text/gemini', body, { maxBytes: 2000, offset: first.nextOffset ?? 0 });
    expect(contents(first).join('') + contents(second).join('')).toBe(body.replaceAll('\n', ''));
  });

  test('a line that fits as plain text but not as a link is whole, and not partial', () => {
    const body = `=> /${'u'.repeat(500)}\nnext\n`;
    const window = rendered('text/gemini', body, { maxBytes: 1000 });
    expect(window.members).toMatchObject({ partial_line: false, next_offset: 505 });
    expect(contents(window)).toEqual([`=> /${'u'.repeat(500)}`]);
  });

  test('a bound that leaves no room still moves on', () => {
    expect(rendered('text/gemini', '🦊🦊\n', { maxBytes: 1 }).nextOffset).toBe(1);
    expect(rendered('text/gemini', '\n\n', { maxBytes: 1 }).nextOffset).toBe(1);
    expect(rendered('text/gemini', '\r\n\n', { maxBytes: 1 }).nextOffset).toBe(2);
  });
});

describe('shorter forms', () => {
  const PAGE = '# Title 🦊\nHello\n=> /a First\n=> b\n## Part\n```\n# code\n```\n=> https://w.example/ Web\nend';

  test('text numbers the links and lists them below', () => {
    expect(gemtext(PAGE, { format: 'text' })).toEqual({
      kind: 'success',
      mime_type: { type: 'text', subtype: 'plain', charset: 'utf-8', lang: null },
      content:
        '# Title 🦊\nHello\n[1] First\n[2] gemini://h/dir/b\n## Part\n```\n# code\n```\n[3] Web\nend\n' +
        '\n[1] gemini://h/a\n[2] gemini://h/dir/b\n[3] https://w.example/\n',
      size: Buffer.byteLength(PAGE),
      truncated: false,
      total_chars: [...PAGE].length,
      next_offset: null,
      lossy: false,
    });
    expect(gemtext('', { format: 'text' })).toMatchObject({ content: '' });
    expect(gemtext('a\n\nb', { format: 'text' })).toMatchObject({ content: 'a\n\nb\n' });
  });

  test('text has the windows of the full form', () => {
    const full = rendered('text/gemini', PAGE, { maxChars: 30 });
    expect(rendered('text/gemini', PAGE, { maxChars: 30, format: 'text' }).nextOffset).toBe(full.nextOffset);
    expect(gemtext('x'.repeat(50), { maxChars: 30, format: 'text' })).toMatchObject({ content: 'x'.repeat(30) });
  });

  test('links gives each link once', () => {
    expect(gemtext(PAGE, { format: 'links' })).toMatchObject({
      kind: 'gemtext',
      document: {
        lines: [],
        links: [
          { url: 'gemini://h/a', text: 'First' },
          { url: 'gemini://h/dir/b', text: null },
          { url: 'https://w.example/', text: 'Web', fetchable: false },
        ],
      },
      next_offset: null,
    });
  });

  test('outline gives headings with their offsets, and counts the links', () => {
    expect(gemtext(PAGE, { format: 'outline' })).toMatchObject({
      document: {
        lines: [
          { type: 'heading1', text: 'Title 🦊', offset: 0 },
          { type: 'heading2', text: 'Part', offset: [...PAGE.slice(0, PAGE.indexOf('## Part'))].length },
        ],
        links: [],
      },
      link_count: 3,
      next_offset: null,
    });
  });

  test('forms that leave lines out go on until they have enough to show', () => {
    const body = `intro\n${'filler\n'.repeat(100)}=> a\n${'filler\n'.repeat(100)}=> b\n`;
    const first = rendered('text/gemini', body, { maxChars: 6, format: 'links' });
    expect(first.members).toMatchObject({ document: { links: [{ url: 'gemini://h/dir/a' }] }, truncated: true });
    expect(gemtext(body, { maxChars: 6, format: 'links', offset: first.nextOffset ?? 0 })).toMatchObject({
      document: { links: [{ url: 'gemini://h/dir/b' }] },
      next_offset: null,
    });
  });

  test('a picked line that is too long is stepped over in the end', () => {
    const body = `intro\n=> /${'u'.repeat(3000)}\n=> /b\n`;
    const seen: unknown[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const window: DocumentWindow = rendered('text/gemini', body, { maxBytes: 1000, format: 'links', offset });
      seen.push(...(window.members['document'] as unknown as { links: { url: string }[] }).links);
      offset = window.nextOffset;
    }
    expect(seen).toEqual([{ url: 'gemini://h/b', text: null }]);
  });

  test('other text has one form', () => {
    expect(rendered('text/plain', 'x', { format: 'links' })).toEqual(rendered('text/plain', 'x'));
  });
});
