import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapedPretty } from '../../src/common/escaped-pretty.js';
import { jsonStringBytes, jsonStringFit } from '../../src/common/json.js';
import { charsetNamed } from '../../src/common/text/charset-labels.js';
import { decodeText, encodeText } from '../../src/common/text/charset.js';
import { advanceCodePoints, countCodePoints } from '../../src/common/text/code-points.js';
import { escapeControls, quote } from '../../src/common/text/quote.js';
import { hasDroppable, sanitizeField, sanitizeText } from '../../src/common/text/sanitize.js';
import { plainLine } from '../../src/logging/core/plain-line.js';
import { assertCleanBody, assertCleanField, bytesOf, hostileBytes, hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

export const sanitiser = fuzzTarget('sanitiser', hostileText, (text) => {
  const body = sanitizeText(text);
  const field = sanitizeField(text);
  assertCleanBody(body);
  assertCleanField(field);
  assert.equal(sanitizeText(body), body);
  assert.equal(sanitizeField(field), field);
  assert.equal(hasDroppable(field), false);
  assert.equal(hasDroppable(text), field !== text);
  assert.ok(body.length <= text.length);
});

const label = fc.oneof(
  fc.constantFrom(
    null,
    'utf-8',
    'us-ascii',
    'iso-8859-1',
    'windows-1252',
    'cp437',
    'utf-16',
    'utf-16be',
    'utf-32',
    'shift_jis',
  ),
  fc.constantFrom(
    'euc-jp',
    'iso-2022-jp',
    'gb18030',
    'big5',
    'euc-kr',
    'koi8-r',
    'tcvn',
    'viscii',
    'macintosh',
    'utf-7',
    'x-user-defined',
  ),
  textOf('utf-8', 'cp', '437', 'iso-8859-', ' '),
);

export const charset = fuzzTarget('charset', fc.record({ body: hostileBytes, label }), ({ body, label: declared }) => {
  const bytes = bytesOf(body);
  const { text, charset: used, lossy } = decodeText(bytes, declared);
  assert.notEqual(charsetNamed(used), null, `no charset: ${used}`);
  assert.ok(text.length <= bytes.length, 'text that is longer than its bytes');
  const encoded = encodeText(text, used);
  if (encoded !== null && !lossy && charsetNamed(used) === 'utf-8') assert.ok(bytes.includes(encoded));
});

export const codePoints = fuzzTarget('code-points', fc.tuple(hostileText, fc.nat(200)), ([text, count]) => {
  const characters = [...text];
  assert.equal(countCodePoints(text), characters.length);
  assert.equal(advanceCodePoints(text, 0, count), characters.slice(0, count).join('').length);
});

export const jsonText = fuzzTarget('json-text', fc.tuple(hostileText, fc.nat(300)), ([text, bytes]) => {
  assert.equal(jsonStringBytes(text), Buffer.byteLength(JSON.stringify(text)));
  const end = jsonStringFit(text, 0, text.length, bytes);
  const inside = (to: number): number => Buffer.byteLength(JSON.stringify(text.slice(0, to))) - 2;
  assert.ok(end === 0 || inside(end) <= bytes);
});

export const escapedPrettyJson = fuzzTarget(
  'escaped-pretty',
  fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }),
  (value) => {
    const compact = JSON.stringify(value);
    const expected = JSON.stringify(JSON.stringify(JSON.parse(compact), null, 2)).slice(1, -1);
    assert.equal(escapedPretty(Buffer.from(compact)).toString(), Buffer.from(expected).toString());
  },
);

/** Nothing that ends a line, moves the cursor or turns the reading order round. */
const SAFE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]*$/u;

export const logLine = fuzzTarget('log-line', fc.tuple(hostileText, hostileText), ([event, value]) => {
  assert.match(escapeControls(event), SAFE_LINE);
  assert.match(quote(event), SAFE_LINE);
  const line = plainLine(JSON.stringify({ timestamp: 't', level: 'info', event, field: value, [value]: 1 }));
  assert.ok(line.endsWith('\n'));
  assert.match(line.slice(0, -1), SAFE_LINE);
});
