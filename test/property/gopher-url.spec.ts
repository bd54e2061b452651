import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeRequest } from '../../src/gopher/core/request.js';
import { echoRefused } from '../../src/gopher/core/url-parts.js';
import { parseGopherUrl, type GopherRequest } from '../../src/gopher/core/url.js';

const LIMITS = { maxSelectorLength: 1024, maxSearchLength: 256 };

const piece = fc.oneof(
  fc.constantFrom(
    '%09',
    '?',
    '#',
    '/',
    '%2F',
    '%3f',
    '%E9',
    '%C3%A9',
    '%zz',
    '%',
    '7',
    '1',
    '+',
    ' ',
    'é',
    '😀',
    '\ud800',
    '@',
    ':',
  ),
  fc.string({ maxLength: 4 }),
);
const tail = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const site = fc.constantFrom(
  'h',
  'EXAMPLE.org.',
  '[::1]',
  'bücher.example',
  'user:pw@h',
  'h:70',
  'h:7070',
  '127.0.0.1:',
);
const url = fc
  .tuple(fc.constantFrom('gopher://', 'GOPHER://'), site, fc.constantFrom('', '/', '/1', '/7', '/0/'), tail)
  .map((parts) => parts.join(''));
const answer = fc.option(fc.string({ unit: 'binary', maxLength: 20 }), { nil: null });

function accepted(text: string, terms: string | null): GopherRequest {
  const result = parseGopherUrl(text, terms, LIMITS);
  if (!result.ok) throw new fc.PreconditionFailure();
  return result.value;
}

describe('gopher URLs', () => {
  test('any text and any terms give a request or INVALID_REQUEST', () => {
    fc.assert(
      fc.property(fc.oneof(url, fc.string({ unit: 'binary' })), answer, (text, terms) => {
        const result = parseGopherUrl(text, terms, LIMITS);
        expect(result.ok || result.error.code === 'INVALID_REQUEST').toBe(true);
      }),
    );
  });

  test('the canonical URL asks for the same and is its own canonical URL', () => {
    fc.assert(
      fc.property(url, answer, (text, terms) => {
        const request = accepted(text, terms);
        const again = accepted(request.key, null);
        expect(again.key).toBe(request.key);
        expect(encodeRequest(again)).toEqual(encodeRequest(request));
        expect([again.host, again.port, again.type]).toEqual([request.host, request.port, request.type]);
      }),
    );
  });

  test('a request is one line, with at most the one TAB of a search', () => {
    fc.assert(
      fc.property(url, answer, (text, terms) => {
        const line = encodeRequest(accepted(text, terms)).toString('latin1');
        expect(line).toMatch(/^[^\0-\x1f\x7f]*(\t[^\0-\x1f\x7f]*)?\r\n$/);
      }),
    );
  });

  test('no echo shows a password', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z/?#:%@]*$/), fc.constantFrom('h', 'h:0', ''), tail, (noise, host, rest) => {
        const text = `gopher://user:SECRET${noise}@${host}/${rest.replaceAll('@', '')}`;
        const result = parseGopherUrl(text, null, LIMITS);
        expect(result.ok ? result.value.url : echoRefused(text)).not.toContain('SECRET');
      }),
    );
  });
});
