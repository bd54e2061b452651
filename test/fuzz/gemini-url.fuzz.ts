import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalizeHost } from '../../src/common/net/host.js';
import { parseIdentityScope } from '../../src/gemini/core/identity-scope.js';
import { redirectTarget } from '../../src/gemini/core/redirect.js';
import { referenceBase, resolveReference, schemeOf } from '../../src/gemini/core/reference.js';
import { echoRefused, MAX_URL_BYTES, parseGeminiUrl } from '../../src/gemini/core/url.js';
import { assertCleanBody, assertCleanField, hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const SECRET = 'S3CR3T';

const url = fc.oneof(
  { weight: 1, arbitrary: hostileText },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('gemini://', 'GEMINI://', 'gemini:/', 'gopher://', '//'),
        fc.constantFrom('', '', '', `${SECRET}@`, `u:${SECRET}@`, '@', ':@'),
        textOf('a.example', '[::1]', '127.0.0.1', 'ß.example', '.'),
        fc.constantFrom('', '', ':1965', ':1966', ':', ':0', ':x'),
        fc.constantFrom('', '/', '/a/../b', '/%2e%2E/', '//x', '/;p'),
        textOf('/a', '..', './', 'é', '%2F', ' '),
        fc.constantFrom('', '', `?${SECRET}`, '?', '#f', `?${SECRET}#f`),
      )
      .map((parts) => parts.join('')),
  },
);
const answer = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostileText });

export const geminiUrl = fuzzTarget('gemini-url', fc.record({ url, answer }), ({ url: given, answer: terms }) => {
  assertCleanBody(echoRefused(given));
  assert.ok(!echoRefused(given).includes(`?${SECRET}`), 'a refused URL is echoed with its query');
  parseIdentityScope(given);
  const parsed = parseGeminiUrl(given, terms);
  if (!parsed.ok) {
    assert.equal(parsed.error.code, 'INVALID_REQUEST');
    assert.ok(!parsed.error.message.includes(SECRET), 'a message quotes a secret');
    return;
  }
  const { host, port, key, path, query, wireUrl, displayUrl } = parsed.value;
  assert.equal(normalizeHost(host), host);
  assert.ok(port >= 1 && port <= 65535);
  assert.match(wireUrl, /^gemini:\/\/[\x21-\x7e]+$/, 'what is sent is no line of visible ASCII');
  assert.ok(wireUrl.length <= MAX_URL_BYTES);
  assert.ok(!wireUrl.includes('#'));
  assert.ok(path.startsWith('/') && !/\/\.\.?(?:\/|$)/.test(path), 'dot segments are left');
  assert.equal(displayUrl, query === null ? wireUrl : wireUrl.slice(0, wireUrl.indexOf('?')));
  assert.equal(key, query === null ? wireUrl : null);
  const again = parseGeminiUrl(wireUrl);
  assert.ok(again.ok && again.value.wireUrl === wireUrl, 'the request is another one when it is parsed again');
});

const reference = textOf(
  '/x',
  '../',
  './',
  '?q',
  '#f',
  '//h.example',
  'http://w.example/',
  'mailto:a@b',
  ' ',
  'é',
  ':',
  '%20',
);
const base = fc.constantFrom(
  'gemini://b.example/',
  'gemini://b.example:1966/d/p.gmi',
  'gemini://[::1]/a/b/',
  'gemini://b.example/%2F//',
);

export const geminiReference = fuzzTarget(
  'gemini-reference',
  fc.record({ base, reference }),
  ({ base: page, reference: target }) => {
    const resolved = resolveReference(referenceBase(page), target);
    if (resolved === null) return;
    assert.notEqual(schemeOf(resolved), '', 'a link is not absolute');
    assert.equal(resolveReference(referenceBase(page), resolved), resolved, 'a resolved link resolves to another one');
  },
);

const redirectInput = fc.record({
  base,
  query: fc.constantFrom('', '?', `?${SECRET}`),
  reference,
  status: fc.constantFrom(30, 31),
});

export const geminiRedirect = fuzzTarget(
  'gemini-redirect',
  redirectInput,
  ({ base: page, query, reference: meta, status }) => {
    const request = parseGeminiUrl(page + query);
    assert.ok(request.ok);
    const target = redirectTarget(request.value, { status, meta });
    if (!target.ok) {
      assert.equal(target.error.code, 'INVALID_REDIRECT');
      return;
    }
    const { url: new_url, scheme, crossHost, request: next } = target.value;
    assertCleanField(new_url);
    assert.ok(meta.includes(SECRET) || !new_url.includes(SECRET), 'the query of the request is carried over');
    assert.equal(next === null, scheme !== 'gemini');
    if (next === null) return;
    assert.notEqual(next.wireUrl, request.value.wireUrl, 'a redirect to itself');
    assert.equal(crossHost, next.host !== request.value.host || next.port !== request.value.port);
    assert.ok(parseGeminiUrl(new_url).ok, 'a redirect that cannot be followed');
  },
);
