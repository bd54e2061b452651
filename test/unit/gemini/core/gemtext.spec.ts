import { describe, expect, test } from '@jest/globals';
import { GemtextReader, wholeLinesEnd, type GemtextLine } from '../../../../src/gemini/core/gemtext.js';
import { referenceBase } from '../../../../src/gemini/core/reference.js';

const BASE = referenceBase('gemini://h/dir/page.gmi');

function linesOf(text: string, from = 0): GemtextLine[] {
  const reader = new GemtextReader(text, BASE, from);
  const lines: GemtextLine[] = [];
  for (let line = reader.next(text.length); line !== null; line = reader.next(text.length)) lines.push(line);
  return lines;
}

describe('kinds of lines', () => {
  test.each<[string, GemtextLine]>([
    ['# H1 title', { type: 'heading1', content: '# H1 title', text: 'H1 title', level: 1 }],
    ['## H2', { type: 'heading2', content: '## H2', text: 'H2', level: 2 }],
    ['###   H3  ', { type: 'heading3', content: '###   H3', text: 'H3', level: 3 }],
    ['#### four', { type: 'heading3', content: '#### four', text: '# four', level: 3 }],
    ['#nospace', { type: 'heading1', content: '#nospace', text: 'nospace', level: 1 }],
    ['#', { type: 'heading1', content: '#', text: '', level: 1 }],
    ['## ', { type: 'heading2', content: '##', text: '', level: 2 }],
    ['* item one', { type: 'list', content: '* item one', text: 'item one' }],
    ['*  two spaces ', { type: 'list', content: '*  two spaces', text: 'two spaces' }],
    ['* ', { type: 'list', content: '*', text: '' }],
    ['*no space', { type: 'text', content: '*no space' }],
    ['*', { type: 'text', content: '*' }],
    ['> quote', { type: 'quote', content: '> quote', text: 'quote' }],
    ['>  indented quote', { type: 'quote', content: '>  indented quote', text: ' indented quote' }],
    ['>tight', { type: 'quote', content: '>tight', text: 'tight' }],
    ['> ', { type: 'quote', content: '>', text: '' }],
    ['plain text \t ', { type: 'text', content: 'plain text' }],
    ['  leading', { type: 'text', content: '  leading' }],
    ['   # indented', { type: 'text', content: '   # indented' }],
    [' => /x', { type: 'text', content: ' => /x' }],
    ['``', { type: 'text', content: '``' }],
    ['=', { type: 'text', content: '=' }],
    ['=>', { type: 'text', content: '=>' }],
    ['=>   ', { type: 'text', content: '=>' }],
  ])('%j', (text, line) => {
    expect(linesOf(text)).toEqual([line]);
  });

  test.each([
    ['=> /abs Absolute path', 'gemini://h/abs', 'Absolute path'],
    ['=> rel.gmi', 'gemini://h/dir/rel.gmi', null],
    ['=>tight.gmi Tight', 'gemini://h/dir/tight.gmi', 'Tight'],
    ['=>\ttab.gmi\tTabbed  name ', 'gemini://h/dir/tab.gmi', 'Tabbed  name'],
    ['=> /x a\tb', 'gemini://h/x', 'ab'],
    ['=> \u3000 wide.gmi\u00a0Wide blanks', 'gemini://h/dir/wide.gmi', 'Wide blanks'],
    ['=> gopher://g.example/1/ Gopher', 'gopher://g.example/1/', 'Gopher'],
    ['=> GEMINI://Up.example/Z Upper', 'GEMINI://Up.example/Z', 'Upper'],
    ['=> ? Again', 'gemini://h/dir/page.gmi?', 'Again'],
  ])('a link: %j', (content, url, text) => {
    expect(linesOf(content)).toEqual([{ type: 'link', content: content.trimEnd(), link: { url, text } }]);
  });

  test.each(['https://web.example/', 'mailto:a@b.example', 'javascript:alert(1)', 'gem:x', 'geminix://h/', 'g:x'])(
    'a link that no tool of ours fetches says so: %s',
    (url) => {
      expect(linesOf(`=> ${url} x`)).toMatchObject([{ type: 'link', link: { url, text: 'x', fetchable: false } }]);
    },
  );

  test.each(['=> //[::1 broken', '=> http://[::1 broken', '=> gemini://h:99999/ port'])(
    'a link that is none is text: %j',
    (content) => {
      expect(linesOf(`${content}\n=> /ok`)).toMatchObject([{ type: 'text', content }, { type: 'link' }]);
    },
  );
});

describe('preformatted blocks', () => {
  test('everything between two fences stays as it is', () => {
    expect(linesOf('```python code \n=> no link\n# no heading  \n```ignored\nafter')).toEqual([
      { type: 'preformat', content: '```python code', alt_text: 'python code' },
      { type: 'preformat', content: '=> no link' },
      { type: 'preformat', content: '# no heading  ' },
      { type: 'preformat', content: '```ignored' },
      { type: 'text', content: 'after' },
    ]);
  });

  test.each([
    ['```python', { content: '```python', alt_text: 'python', language: 'python' }],
    ['``` PY ', { content: '``` PY', alt_text: 'PY', language: 'python' }],
    ['```c++', { content: '```c++', alt_text: 'c++', language: 'cpp' }],
    ['```sh', { content: '```sh', alt_text: 'sh', language: 'bash' }],
    ['```ASCII art of a cat', { content: '```ASCII art of a cat', alt_text: 'ASCII art of a cat' }],
    ['```toString', { content: '```toString', alt_text: 'toString' }],
    ['``` ', { content: '```' }],
    ['````', { content: '````', alt_text: '`' }],
  ])('an opening fence: %j', (text, line) => {
    expect(linesOf(text)).toEqual([{ type: 'preformat', ...line }]);
  });

  test('a fence that is not at the start of its line is none', () => {
    expect(linesOf(' ```\n# heading').map(({ type }) => type)).toEqual(['text', 'heading1']);
  });
});

describe('line breaks', () => {
  test.each([
    ['LF', 'a\nb\n', ['a', 'b']],
    ['CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['CR', 'a\rb\r', ['a', 'b']],
    ['mixed, blank lines kept', 'one\r\ntwo\n\n\rthree\r\n\r\n', ['one', 'two', '', '', 'three', '']],
    ['none', 'a', ['a']],
    ['empty', '', []],
    ['a break alone', '\n', ['']],
  ])('%s', (_, text, contents) => {
    expect(linesOf(text).map(({ content }) => content)).toEqual(contents);
  });
});

describe('reading from within', () => {
  const PAGE = 'Line\n=> /x Label\n```\n=> fenced\n```\nlast\n';

  test.each([
    ['the start of a line', 'a link', PAGE.indexOf('=>'), { type: 'link', content: '=> /x Label' }],
    ['within a link', 'not classified', PAGE.indexOf('Label'), { type: 'text', content: 'Label' }],
    ['the break itself', 'an empty rest', PAGE.indexOf('\n'), { type: 'text', content: '' }],
    ['within a block', 'verbatim', PAGE.indexOf('fenced'), { type: 'preformat', content: 'fenced' }],
    [
      'the start of a line in a block',
      'verbatim',
      PAGE.indexOf('=> fenced'),
      { type: 'preformat', content: '=> fenced' },
    ],
    ['within an opening fence', 'in the block', PAGE.indexOf('```') + 1, { type: 'preformat', content: '``' }],
    ['within a closing fence', 'out of the block', PAGE.lastIndexOf('```') + 1, { type: 'text', content: '``' }],
    ['behind the block', 'out of the block', PAGE.indexOf('last'), { type: 'text', content: 'last' }],
  ])('%s: %s', (_, __, from, line) => {
    expect(linesOf(PAGE, from)[0]).toMatchObject(line);
  });

  test('between CR and LF the line is over but for its break', () => {
    expect(linesOf('a\r\n# b', 2)).toMatchObject([{ type: 'text', content: '' }, { type: 'heading1' }]);
    expect(linesOf('a\r# b', 2)).toMatchObject([{ type: 'heading1' }]);
  });
});

describe('where whole lines end', () => {
  test.each([
    ['behind the last LF', 'ab\ncd\nef', 0, 7, 6],
    ['a CR counts when there is no LF', 'ab\rcd\ref', 0, 7, 6],
    ['an LF is preferred to a later CR', 'ab\ncd\ref', 0, 7, 3],
    ['a CRLF that the end parts is taken whole', 'abcd\r\nef', 0, 5, 6],
    ['the end right behind a break', 'ab\ncd', 0, 3, 3],
    ['no break', 'abcdef', 0, 4, null],
    ['no break from there on', 'a\nbcdef', 2, 5, null],
  ])('%s', (_, text, from, to, end) => {
    expect(wholeLinesEnd(text, from, to)).toBe(end);
  });
});
