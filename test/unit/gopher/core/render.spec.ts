import { describe, expect, test } from '@jest/globals';
import { finish } from '../../../../src/common/steps.js';
import { decodeBody, type GopherDocument } from '../../../../src/gopher/core/document.js';
import { renderWindow, type Rendered, type Window } from '../../../../src/gopher/core/render.js';

const UNBOUNDED: Window = { offset: 0, maxItems: 0, maxChars: 0, maxBytes: 0, format: 'full' };
const FIVE = Array.from({ length: 5 }, (_, i) => `0item ${i}\t/i${i}\texample.org\t70\r\n`).join('') + '.\r\n';
const TEXT = '0123456789é😀bcdefghijABCDE';

function document(type: string, body: string): GopherDocument {
  const result = decodeBody(type, Buffer.from(body), false, 'h');
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function render(type: string, body: string, window: Partial<Window>): Rendered {
  return finish(renderWindow(document(type, body), { type, host: 'own', port: 70 }, { ...UNBOUNDED, ...window }));
}

function titles({ members }: Rendered): unknown {
  const { items } = members;
  return Array.isArray(items) ? items.map((item) => item.title) : null;
}

describe('menu windows', () => {
  test.each([
    [{ maxItems: 2 }, ['item 0', 'item 1'], 2, null],
    [{ maxItems: 2, offset: 2 }, ['item 2', 'item 3'], 4, null],
    [{ maxItems: 2, offset: 4 }, ['item 4'], null, 5],
    [{ maxItems: 5 }, ['item 0', 'item 1', 'item 2', 'item 3', 'item 4'], null, 5],
    [{ maxItems: 2, offset: 5 }, [], null, 5],
    [{ maxItems: 2, offset: 99 }, [], null, 5],
    [{ maxItems: 0, offset: 3 }, ['item 3', 'item 4'], null, 5],
  ])('%j', (window, shown, nextOffset, total) => {
    const rendered = render('1', FIVE, window);
    expect(titles(rendered)).toEqual(shown);
    expect(rendered.nextOffset).toBe(nextOffset);
    expect(rendered.members).toMatchObject({
      kind: 'menu',
      truncated: nextOffset !== null,
      total_items: total,
      next_offset: nextOffset,
    });
  });

  test('members stand in the order of results', () => {
    const { members } = render('1', FIVE, {});
    expect(Object.keys(members)).toEqual(['kind', 'items', 'truncated', 'total_items', 'next_offset']);
  });

  test.each([300, 400, 500, 600, 700])('fit into %i bytes, full as can be', (maxBytes) => {
    const rendered = render('1', FIVE, { maxItems: 1000, maxBytes });
    expect(Buffer.byteLength(JSON.stringify(rendered.members))).toBeLessThanOrEqual(maxBytes);
    const larger = render('1', FIVE, { maxItems: (rendered.nextOffset ?? 5) + 1 });
    // The longest numbers are allowed for, so a few bytes may stay free.
    expect(Buffer.byteLength(JSON.stringify(larger.members))).toBeGreaterThan(maxBytes - 40);
  });

  test('an item larger than the bound is shown alone', () => {
    const rendered = render('1', FIVE, { maxItems: 1000, maxBytes: 1 });
    expect(titles(rendered)).toEqual(['item 0']);
    expect(rendered.nextOffset).toBe(1);
  });

  test('who took the bound on items off gets them all', () => {
    expect(titles(render('1', FIVE, { maxItems: 0, maxBytes: 1 }))).toHaveLength(5);
  });
});

describe('text windows', () => {
  test.each([
    [0, '0123456789', 10],
    [10, 'é😀bcdefghi', 20],
    [20, 'jABCDE', null],
    [25, 'E', null],
    [26, '', null],
    [500, '', null],
  ])('offset %i', (offset, text, nextOffset) => {
    const rendered = render('0', TEXT, { maxChars: 10, offset });
    expect(rendered.nextOffset).toBe(nextOffset);
    expect(rendered.members).toEqual({
      kind: 'text',
      charset: 'utf-8',
      bytes: 30,
      text,
      truncated: nextOffset !== null,
      total_chars: 26,
      next_offset: nextOffset,
      lossy: false,
    });
  });

  test.each([130, 140, 150, 160])('fit into %i bytes', (maxBytes) => {
    const { members } = render('0', `"${TEXT}\t\n`.repeat(10), { maxChars: 1000, maxBytes });
    const bytes = Buffer.byteLength(JSON.stringify(members));
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(bytes).toBeGreaterThan(maxBytes - 8);
  });

  test('a bound that holds nothing still lets one code point through', () => {
    expect(render('0', '😀😀', { maxChars: 1000, maxBytes: 1 })).toMatchObject({
      nextOffset: 1,
      members: { text: '😀' },
    });
  });

  test('who took the bound on characters off gets them all', () => {
    expect(render('0', TEXT, { maxChars: 0, maxBytes: 1 }).members).toMatchObject({ text: TEXT, next_offset: null });
  });
});

describe('binary', () => {
  test.each([
    ['9', false],
    ['0', true],
  ])('of type %s is metadata', (type, announced) => {
    const { members, nextOffset } = render(type, 'GIF89a\0\0', { offset: 3 });
    expect(members).toEqual({ kind: 'binary', bytes: 8, mime_type: 'image/gif', note: expect.any(String) });
    expect(String(members['note']).includes('announced')).toBe(announced);
    expect(nextOffset).toBeNull();
  });
});

describe('shorter forms', () => {
  const MENU =
    'iWelcome\t\tnull\t1\r\ni======\t\tnull\t1\r\niFiles:\t\tnull\t1\r\n0A\t/a\th\t70\r\n8BBS\t\tb\t23\r\nhWeb\tURL:https://w/\th\t70\r\n1B\t/b\th\t70\r\n.\r\n';

  test('a menu as text numbers its links', () => {
    expect(render('1', MENU, { format: 'text', maxChars: 21 }).members).toMatchObject({
      kind: 'text',
      text: 'Welcome\n======\nFiles:',
      next_offset: 21,
    });
    expect(render('1', MENU, { format: 'text', offset: 22 }).members).toMatchObject({
      text: '[1] A <gopher://h:70/0/a>\n[2] BBS <telnet://b:23>\n[3] Web <https://w/>\n[4] B <gopher://h:70/1/b>\n',
    });
  });

  test('the links of a menu are those that can be fetched, windowed among themselves', () => {
    expect(titles(render('1', MENU, { format: 'links' }))).toEqual(['A', 'B']);
    expect(render('1', MENU, { format: 'links', maxItems: 1 })).toMatchObject({
      nextOffset: 1,
      members: { kind: 'menu', total_items: null },
    });
    expect(render('1', MENU, { format: 'links', maxItems: 1, offset: 1 }).members).toMatchObject({ total_items: 2 });
  });

  test('the outline of a menu is its links under the lines that introduce them', () => {
    expect(render('1', MENU, { format: 'outline' }).members).toMatchObject({
      text: 'Files:\n- A <gopher://h:70/0/a>\n- BBS <telnet://b:23>\n- Web <https://w/>\n- B <gopher://h:70/1/b>\n',
    });
  });

  test.each([
    ['text', '# T\nsee gopher://h/\n', '# T\nsee gopher://h/\n'],
    ['links', '# T\nsee gopher://h/ and\nend\nhttp://x', 'see gopher://h/ and\nhttp://x\n'],
    ['outline', '# T\n\nbody\n\nPART\nbody\n', '0: # T\n11: PART\n'],
  ] as const)('%s of a text', (format, body, text) => {
    expect(render('0', body, { format }).members).toMatchObject({ kind: 'text', text, total_chars: text.length });
  });

  test('an HTML page as text loses its tags, and only then', () => {
    expect(render('h', '<p>Hi &amp; bye</p>', { format: 'text' }).members).toMatchObject({ text: 'Hi & bye\n' });
    expect(render('h', '<p>Hi</p>', { format: 'full' }).members).toMatchObject({ text: '<p>Hi</p>' });
    expect(render('0', '<p>Hi</p>', { format: 'text' }).members).toMatchObject({ text: '<p>Hi</p>' });
  });
});
