/**
 * Gemtext against a second reading of its specification, written from the text of the grammar alone and by other means (regular
 * expressions over split lines): for every page the two agree on what each line is.
 *
 * @see https://geminiprotocol.net/docs/gemtext-specification.gmi
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeBody } from '../../src/gemini/core/document.js';
import { parseMime } from '../../src/gemini/core/mime.js';
import { renderWindow } from '../../src/gemini/core/render.js';
import { finish } from '../../src/common/steps.js';
import { lookup, objectsOf, type Json } from '../support/json.js';

interface Line {
  readonly type: string;
  /** What the specification calls the text, the URL or the alt text of a line. */
  readonly rest: string;
}

/** The grammar, line type by line type, in the order in which the specification lists them. */
function reference(page: string): readonly Line[] {
  const lines: Line[] = [];
  let isPreformatted = false;
  for (const line of page.split(/\r?\n/)) {
    const toggle = /^```(.*)$/u.exec(line);
    if (toggle) {
      // Text behind the closing toggle is ignored.
      lines.push({ type: 'preformat', rest: isPreformatted ? '' : (toggle[1] ?? '').trim() });
      isPreformatted = !isPreformatted;
      continue;
    }
    if (isPreformatted) {
      lines.push({ type: 'preformat', rest: line });
      continue;
    }
    const link = /^=>[ \t]*([^ \t]+)(?:[ \t]+(.*?))?[ \t]*$/u.exec(line);
    const heading = /^(#{1,3})(.*)$/u.exec(line);
    if (link) lines.push({ type: 'link', rest: `${link[1] ?? ''} ${link[2] ?? ''}`.trimEnd() });
    else if (heading) lines.push({ type: `heading${heading[1]?.length ?? 0}`, rest: (heading[2] ?? '').trim() });
    else if (line.startsWith('* ')) lines.push({ type: 'list', rest: line.slice(2).trim() });
    else if (line.startsWith('>')) lines.push({ type: 'quote', rest: line.slice(1).trim() });
    else lines.push({ type: 'text', rest: line.trimEnd() });
  }
  // The break behind the last line begins no other.
  if (page === '' || page.endsWith('\n')) lines.pop();
  return lines;
}

function ours(page: string): readonly Line[] {
  const declared = parseMime('text/gemini');
  const media = declared.media ?? { type: 'text', subtype: 'gemini' };
  const document = decodeBody(media, declared, Buffer.from(page), false);
  const window = { offset: 0, maxChars: 0, maxBytes: 0, format: 'full' } as const;
  const { members } = finish(renderWindow(document, 'gemini://h.example/', window));
  const lines = objectsOf(lookup(JSON.parse(JSON.stringify(members)) as Json, 'document.lines'));
  let isOpen = false;
  return lines.map(({ type, content, text, link, alt_text: altText }) => {
    if (type === 'link') {
      const { url, text: label } = link as { url: string; text: string | null };
      return { type, rest: `${url} ${label ?? ''}`.trimEnd() };
    }
    if (type !== 'preformat') return { type: String(type), rest: String(text ?? content).trim() };
    if (!String(content).startsWith('```')) return { type, rest: String(content) };
    isOpen = !isOpen;
    return { type, rest: isOpen ? String(altText ?? '') : '' };
  });
}

const word = fc.constantFrom('a', 'word', 'é', '葛', '👍', '#', '>', '*', '```', '.', '=', '* x', '1');
const words = fc.array(word, { maxLength: 4 }).map((parts) => parts.join(' '));
const marker = fc.constantFrom(
  '',
  '',
  '#',
  '##',
  '###',
  '####',
  '* ',
  '*',
  '>',
  '> ',
  '```',
  '``',
  ' ```',
  '# ',
  '  ',
  '\t',
);
const link = fc
  .tuple(
    fc.constantFrom('=>', '=> ', '=>\t', '=>  \t'),
    fc.constantFrom('gemini://a.example/', 'https://w.example/x?y#z', 'mailto:a@b.example', 'gopher://g.example/1/'),
    fc.constantFrom('', ' ', '\t', ' Label', '\tTwo words', '   Label  with  blanks '),
  )
  .map((parts) => parts.join(''));
const line = fc.oneof({ weight: 4, arbitrary: fc.tuple(marker, words).map((parts) => parts.join('')) }, link);
const page = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 20 })
  .map((lines) => lines.map((parts) => parts.join('')).join(''));

describe('gemtext', () => {
  test('is read as its specification says', () => {
    fc.assert(
      fc.property(page, (text) => {
        expect(ours(text)).toEqual(
          reference(text).map(({ type, rest }) => ({ type, rest: type === 'text' ? rest.trim() : rest })),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
