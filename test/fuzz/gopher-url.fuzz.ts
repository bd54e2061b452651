import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalizeHost } from '../../src/common/net/host.js';
import { encodeRequest } from '../../src/gopher/core/request.js';
import { echoRefused } from '../../src/gopher/core/url-parts.js';
import { parseGopherUrl } from '../../src/gopher/core/url.js';
import { assertCleanField, hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const LIMITS = { maxSelectorLength: 1024, maxSearchLength: 256 };
const SECRET = 'S3CR3T';

const url = fc.oneof(
  { weight: 1, arbitrary: hostileText },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('gopher://', 'GOPHER://', 'gopher:/', 'gemini://'),
        fc.constantFrom('', '', '', `${SECRET}@`, `u:${SECRET}@`, `u:${SECRET}/x@`, '@'),
        textOf('a.example', '[::1]', '127.0.0.1', 'h', '.'),
        fc.constantFrom('', '', ':70', ':7070', ':', ':0', ':x'),
        fc.constantFrom('', '/', '/0', '/1/', '/7/s', '/%C3%A9', '/é', '/%09'),
        textOf('/a', '%2F', '%0A', 'é', '%FF'),
        fc.constantFrom('', '', `?${SECRET}`, `%09${SECRET}`, '#f', '?', '%09'),
      )
      .map((parts) => parts.join('')),
  },
);
const answer = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostileText });

export const gopherUrl = fuzzTarget('gopher-url', fc.record({ url, answer }), ({ url: given, answer: terms }) => {
  assertCleanField(echoRefused(given));
  assert.ok(!echoRefused(given).includes(`?${SECRET}`), 'a refused URL is echoed with its search');
  const parsed = parseGopherUrl(given, terms, LIMITS);
  if (!parsed.ok) {
    assert.equal(parsed.error.code, 'INVALID_REQUEST');
    assert.ok(!parsed.error.message.includes(SECRET), 'a message quotes a secret');
    return;
  }
  const request = parsed.value;
  assert.equal(normalizeHost(request.host), request.host);
  assert.ok(request.port >= 1 && request.port <= 65535);
  assertCleanField(request.url);
  assertCleanField(request.selectorText);
  assertCleanField(request.type);
  assert.ok(!/^gopher:\/\/[^/?#]*@/.test(request.url), 'userinfo in the echo');

  // One line, one TAB at most: nothing can be smuggled in.
  const line = encodeRequest(request);
  const controls = line.filter((byte) => byte < 0x20 || byte === 0x7f);
  const wanted = request.type === '7' && request.search !== null ? '\t\r\n' : '\r\n';
  assert.equal(Buffer.from(controls).toString('latin1'), wanted);
  assert.ok(line.toString('latin1').endsWith('\r\n'));

  // The key is a spelling of the same request, and the only one.
  const again = parseGopherUrl(request.key, null, { maxSelectorLength: Infinity, maxSearchLength: Infinity });
  if (again.ok) {
    const { key, host, port, type, selector, search } = again.value;
    assert.deepEqual(
      { key, host, port, type, selector, search },
      {
        key: request.key,
        host: request.host,
        port: request.port,
        type: request.type,
        selector: request.selector,
        search: request.search,
      },
    );
  } else assert.ok(Buffer.byteLength(request.key) > 8192, 'the key is no URL');
});
