import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { normalizeHost } from '../../src/common/net/host.js';
import { decodeBody } from '../../src/gopher/core/document.js';
import { renderWindow, type Rendered, type Window } from '../../src/gopher/core/render.js';
import { parseGopherUrl } from '../../src/gopher/core/url.js';
import { assertCleanBody, assertCleanField, bytesOf, bytesOfText, hostileBytes, stringsOf, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const ORIGIN = { type: '1', host: 'own.example', port: 70 };
const ALL: Window = { offset: 0, maxItems: 0, maxChars: 0, maxBytes: 0, format: 'full' };
const LIMITS = { maxSelectorLength: Infinity, maxSearchLength: Infinity };

const menu = textOf(
  ...[
    '1a\t/a\th.example\t70\r\n',
    '0é\t/é\tH.EXAMPLE\t7070\n',
    'iinfo\r\n',
    '3no\t\terr\t1\r\n',
    'hweb\tURL:http://w.example/\th\t70\n',
  ],
  ...[
    '8t\tuser\th\t23\n',
    'hget\tGET /x?y\tw.example\t80\n',
    '7s\t/s?x\th\t\n',
    '.\r\n',
    '\t',
    '\r\n',
    '\n',
    '\r',
    ' ',
    '.',
    '70',
    'a@b',
    '[::1]',
    '::1',
  ],
);

/** An item, or a line of text of one of the shorter forms. */
type Item = Readonly<Record<'type' | 'title' | 'selector' | 'host' | 'next_url', string>>;

function itemsOf({ members }: Rendered): readonly Item[] {
  return Array.isArray(members['items']) ? members['items'] : [];
}

const input = fc.record({
  body: fc.oneof({ weight: 5, arbitrary: bytesOfText(menu) }, { weight: 1, arbitrary: hostileBytes }),
  isCut: fc.boolean(),
  maxItems: fc.integer({ min: 1, max: 9 }),
  maxBytes: fc.constantFrom(0, 1, 300, 2000),
});

export const gopherMenu = fuzzTarget('gopher-menu', input, ({ body, isCut, maxItems, maxBytes }) => {
  const decoded = decodeBody('1', bytesOf(body), isCut, 'own.example');
  assert.ok(decoded.ok, 'a menu is never a failure');
  const document = decoded.value;
  const render = (window: Partial<Window>): Rendered => finish(renderWindow(document, ORIGIN, { ...ALL, ...window }));
  const whole = itemsOf(render({}));
  for (const item of whole) {
    for (const text of stringsOf(item)) assertCleanField(text);
    assertHonestLink(item);
  }
  assert.ok(Array.from(whole, ({ type }) => [...type].length).every((length) => length === 1));

  // A number of windows that keeps the walk itself linear.
  const step = Math.max(maxItems, Math.ceil(whole.length / 20));
  const pieces: Item[] = [];
  let windows = 0;
  for (let offset: number | null = 0; offset !== null && windows < 60; windows++) {
    const window: Rendered = render({ offset, maxItems: step, maxBytes });
    const items = itemsOf(window);
    if (maxBytes > 0 && items.length > 1) {
      assert.ok(Buffer.byteLength(JSON.stringify(window.members)) <= maxBytes, 'a window exceeds its bytes');
    }
    assert.ok(window.nextOffset === null || window.nextOffset > offset, 'a walk stands still');
    pieces.push(...items);
    offset = window.nextOffset;
  }
  assert.deepEqual(pieces, whole.slice(0, pieces.length));
  if (windows < 60) assert.equal(pieces.length, whole.length);

  for (const format of ['text', 'outline'] as const) {
    for (const text of stringsOf(render({ format }).members)) assertCleanBody(text);
  }
  for (const link of itemsOf(render({ format: 'links' }))) assert.match(link.next_url, /^(?:gopher|gemini):\/\//);
});

/** A link that was made from the fields of an item leads to the host that the item shows, and can be asked for. */
function assertHonestLink({ type, selector, host, next_url: url }: Item): void {
  if (/^\/?URL:/s.test(selector) || url === '') return;
  assert.match(url, /^(?:gopher|http|telnet):\/\//);
  if (!url.startsWith('gopher://') || Buffer.byteLength(url) > 8192) return;
  const parsed = parseGopherUrl(url, null, LIMITS);
  assert.ok(parsed.ok, `a link cannot be asked for: ${url}`);
  assert.equal(parsed.value.host, normalizeHost(host));
  assert.equal(parsed.value.type, type);
}
