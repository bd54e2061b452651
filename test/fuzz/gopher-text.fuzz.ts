import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { decodeBody } from '../../src/gopher/core/document.js';
import { htmlText } from '../../src/gopher/core/html-text.js';
import { renderWindow, type Rendered, type Window } from '../../src/gopher/core/render.js';
import { decodeRobots } from '../../src/gopher/core/robots-file.js';
import {
  assertCleanBody,
  assertCleanField,
  bytesOf,
  bytesOfText,
  hostileBytes,
  hostileText,
  stringsOf,
  textOf,
} from './hostile.js';
import { fuzzTarget } from './target.js';

const ALL: Window = { offset: 0, maxItems: 0, maxChars: 0, maxBytes: 0, format: 'full' };

const text = textOf(
  ...[
    'line\r\n',
    'line\n',
    '\r',
    '.\r\n',
    '..x\n',
    '\n.',
    '3no\t\terror.host\t1\r\n',
    '# H\n',
    '=====\n',
    'http://w.example/ ',
  ],
  ...[
    '<p>',
    '</p>',
    '<a href="x">',
    '</a>',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '&amp;',
    '&#x41;',
    '&#9999999;',
    '<',
    '>',
    '\0',
    '\x1a',
  ],
);
const input = fc.record({
  type: fc.constantFrom('0', 'h', '3', 'i', '9', 'I', '+', 'Z', '☃'),
  body: fc.oneof({ weight: 5, arbitrary: bytesOfText(text) }, { weight: 1, arbitrary: hostileBytes }),
  isCut: fc.boolean(),
  share: fc.integer({ min: 2, max: 12 }),
  maxBytes: fc.constantFrom(0, 1, 300, 4000),
});

export const gopherText = fuzzTarget('gopher-text', input, ({ type, body, isCut, share, maxBytes }) => {
  const decoded = decodeBody(type, bytesOf(body), isCut, 'h.example');
  if (!decoded.ok) {
    assert.equal(decoded.error.code, 'GOPHER_ERROR');
    assertCleanField(decoded.error.facts.meta ?? '');
    return;
  }
  const document = decoded.value;
  const request = { type, host: 'h.example', port: 70 };
  for (const format of ['full', 'text', 'links', 'outline'] as const) {
    const whole = finish(renderWindow(document, request, { ...ALL, format })).members;
    for (const one of stringsOf(whole)) assertCleanBody(one);
    if (whole.kind !== 'text') continue;
    const content = String(whole['text']);
    assert.ok(!content.includes('\r'));
    assert.equal(whole['total_chars'], [...content].length);

    const maxChars = Math.max(1, Math.ceil([...content].length / share));
    let glued = '';
    for (let offset: number | null = 0, windows = 0; offset !== null && windows < 40; windows++) {
      const window: Rendered = finish(renderWindow(document, request, { ...ALL, format, offset, maxChars, maxBytes }));
      const shown = String(window.members['text']);
      assert.ok([...shown].length <= maxChars);
      if (maxBytes > 0 && [...shown].length > 1) {
        assert.ok(Buffer.byteLength(JSON.stringify(window.members)) <= maxBytes, 'a window exceeds its bytes');
      }
      assert.ok(window.nextOffset === null || window.nextOffset > offset, 'a walk stands still');
      glued += shown;
      offset = window.nextOffset;
      if (offset === null) assert.equal(glued, content);
    }
    assert.ok(content.startsWith(glued));
  }
});

export const html = fuzzTarget('html-text', fc.oneof(text, hostileText), (page) =>
  assertCleanBody(finish(htmlText(page))),
);

export const gopherRobotsFile = fuzzTarget(
  'gopher-robots-file',
  fc.record({ body: bytesOfText(text), cut: fc.boolean() }),
  ({ body, cut }) => {
    const policy = decodeRobots(bytesOf(body), cut);
    assert.ok(policy === null || !cut || policy === '' || /[\r\n]$/.test(policy), 'half a rule is kept');
  },
);
