import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { decodeBody } from '../../src/gemini/core/document.js';
import type { GemtextLine } from '../../src/gemini/core/gemtext.js';
import { finalMediaType } from '../../src/gemini/core/media.js';
import { parseMime } from '../../src/gemini/core/mime.js';
import { schemeOf } from '../../src/gemini/core/reference.js';
import { renderWindow, type DocumentWindow, type WindowLimits } from '../../src/gemini/core/render.js';
import { assertCleanBody, assertCleanField, bytesOf, bytesOfText, hostileBytes, stringsOf, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const PAGE = 'gemini://host.example/dir/page.gmi';
const ALL: WindowLimits = { offset: 0, maxChars: 0, maxBytes: 0, format: 'full' };
const FORMATS = ['full', 'text', 'links', 'outline'] as const;

const meta = textOf(
  ...[
    'text/gemini',
    'text/plain',
    'application/json',
    'image/png',
    'application/octet-stream',
    '; ',
    ';',
    'charset=',
    'lang=',
    'utf-8',
  ],
  ...['iso-8859-1', 'utf-16', 'shift_jis', 'utf-7', 'en', 'fr,de', '"', "'", '=', '/', 'x'],
);

export const geminiMime = fuzzTarget('gemini-mime', meta, (field) => {
  const { media, charset, lang } = parseMime(field);
  if (media) assert.match(`${media.type}/${media.subtype}`, /^[!-~]+\/[!-~]+$/);
  if (charset !== null) assertCleanField(charset);
  assert.ok(lang === null || /^[A-Za-z0-9-]+(?:,[A-Za-z0-9-]+)*$/.test(lang));
});

const page = textOf(
  ...[
    '=> /x Label\n',
    '=> https://w.example\r\n',
    '=> //[::1 x\n',
    '=>\n',
    '# T\n',
    '### T\r',
    '* i\n',
    '> q\n',
    '```\n',
    '```js\n',
    '\n',
    '\r\n',
    '\r',
  ],
  ...['x'.repeat(200), ' '.repeat(50), '\t'],
);
const input = fc.record({
  meta: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('text/gemini', '', 'text/plain', 'text/gemini; charset=latin1') },
    { weight: 1, arbitrary: meta },
  ),
  body: fc.oneof({ weight: 5, arbitrary: bytesOfText(page) }, { weight: 1, arbitrary: hostileBytes }),
  isPart: fc.boolean(),
  share: fc.integer({ min: 2, max: 12 }),
  maxBytes: fc.constantFrom(0, 1, 500, 4000),
});

export const geminiPage = fuzzTarget('gemini-page', input, ({ meta: field, body, isPart, share, maxBytes }) => {
  const declared = parseMime(field);
  const bytes = bytesOf(body);
  const document = decodeBody(finalMediaType(declared, bytes), declared, bytes, isPart);
  if (document.kind === 'binary') return;
  assertCleanBody(document.text);
  assert.equal(document.totalChars, [...document.text].length);
  const maxChars = Math.max(1, Math.ceil(document.totalChars / share));

  for (const format of FORMATS) {
    const whole: DocumentWindow = finish(renderWindow(document, PAGE, { ...ALL, format }));
    assert.equal(whole.nextOffset, null);
    for (const text of stringsOf(whole.members)) assertCleanBody(text);
    for (const { url, text } of linksOf(whole)) {
      assert.notEqual(schemeOf(url), '');
      assertCleanField(url);
      assertCleanField(text ?? '');
    }
    const pieces: DocumentWindow[] = [];
    let offset: number | null = 0;
    while (offset !== null && pieces.length < 40) {
      const window: DocumentWindow = finish(
        renderWindow(document, PAGE, { ...ALL, format, offset, maxChars, maxBytes }),
      );
      assert.ok(window.nextOffset === null || window.nextOffset > offset, 'a walk stands still');
      pieces.push(window);
      offset = window.nextOffset;
    }
    if (offset !== null) continue;
    if (document.kind === 'text') assert.equal(pieces.map(({ members }) => members['content']).join(''), document.text);
    else if (format === 'full') assert.deepEqual(glued(pieces), glued([whole]));
  }
});

/** The contents of all lines, the pieces of a cut line put together; blanks at line ends, which windows may keep, left out. */
function glued(windows: readonly DocumentWindow[]): string[] {
  const contents: string[] = [];
  let isOpen = false;
  for (const { members } of windows) {
    const [first, ...others] = partsOf(members).lines.map(({ content }) => content);
    if (first !== undefined && isOpen) contents.push((contents.pop() ?? '') + first);
    else if (first !== undefined) contents.push(first);
    contents.push(...others);
    isOpen = members['partial_line'] === true;
  }
  return contents.map((content) => content.trimEnd());
}

function partsOf(members: DocumentWindow['members']): { readonly lines: GemtextLine[]; readonly links: Link[] } {
  return members['document'] as unknown as { readonly lines: GemtextLine[]; readonly links: Link[] };
}

interface Link {
  readonly url: string;
  readonly text: string | null;
}

function linksOf({ members }: DocumentWindow): readonly Link[] {
  return members.kind === 'gemtext' ? partsOf(members).links : [];
}
