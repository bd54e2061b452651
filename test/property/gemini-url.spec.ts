import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { referenceBase, resolveReference } from '../../src/gemini/core/reference.js';
import { echoRefused, MAX_URL_BYTES, parseGeminiUrl } from '../../src/gemini/core/url.js';

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '?',
    '#',
    ':',
    '@',
    '.',
    '..',
    '/../',
    '%2e',
    '%2F',
    '%zz',
    '[',
    ']',
    '[::1]',
    'a',
    'é',
    ' ',
    '🦊',
  ),
  fc.string({ maxLength: 6, unit: 'grapheme' }),
);
const tail = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const url = tail.map((text) => `gemini://host.example${text}`);

describe('parsing', () => {
  test('what is sent is visible ASCII of at most 1024 bytes, and stands for itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          url,
          tail.map((text) => `gemini://${text}`),
        ),
        (text) => {
          const parsed = parseGeminiUrl(text);
          fc.pre(parsed.ok);
          const { wireUrl, displayUrl, path } = parsed.value;
          expect(wireUrl).toMatch(/^gemini:\/\/[!-~]+$/);
          expect(wireUrl.length).toBeLessThanOrEqual(MAX_URL_BYTES);
          expect(path).toMatch(/^\//);
          expect(displayUrl).not.toContain('?');
          const again = parseGeminiUrl(wireUrl);
          expect(again.ok && again.value.wireUrl).toBe(wireUrl);
        },
      ),
    );
  });

  test('no text makes it throw, and no refusal quotes what stands behind the question mark', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), url), (text) => {
        const parsed = parseGeminiUrl(`${text}?SECRET`);
        if (!parsed.ok) expect(JSON.stringify(parsed.error)).not.toContain('SECRET');
        expect(echoRefused(`${text}?SECRET`)).not.toContain('SECRET');
      }),
    );
  });

  test('an answer arrives as it was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (answer) => {
        const parsed = parseGeminiUrl('gemini://h/ask?old#f', answer);
        expect(parsed.ok && decodeURIComponent(parsed.value.query ?? '')).toBe(answer);
      }),
    );
  });
});

/** RFC 3986 section 5.4, for a gemini base; the query of the base is not carried over. */
const EXAMPLES: readonly (readonly [reference: string, target: string])[] = [
  ['g:h', 'g:h'],
  ['g', 'gemini://a/b/c/g'],
  ['./g', 'gemini://a/b/c/g'],
  ['g/', 'gemini://a/b/c/g/'],
  ['/g', 'gemini://a/g'],
  ['//g', 'gemini://g'],
  ['?y', 'gemini://a/b/c/d;p?y'],
  ['g?y', 'gemini://a/b/c/g?y'],
  ['#s', 'gemini://a/b/c/d;p#s'],
  ['g#s', 'gemini://a/b/c/g#s'],
  ['g?y#s', 'gemini://a/b/c/g?y#s'],
  [';x', 'gemini://a/b/c/;x'],
  ['g;x', 'gemini://a/b/c/g;x'],
  ['g;x?y#s', 'gemini://a/b/c/g;x?y#s'],
  ['', 'gemini://a/b/c/d;p'],
  ['.', 'gemini://a/b/c/'],
  ['./', 'gemini://a/b/c/'],
  ['..', 'gemini://a/b/'],
  ['../', 'gemini://a/b/'],
  ['../g', 'gemini://a/b/g'],
  ['../..', 'gemini://a/'],
  ['../../', 'gemini://a/'],
  ['../../g', 'gemini://a/g'],
  ['../../../g', 'gemini://a/g'],
  ['../../../../g', 'gemini://a/g'],
  ['/./g', 'gemini://a/g'],
  ['/../g', 'gemini://a/g'],
  ['g.', 'gemini://a/b/c/g.'],
  ['.g', 'gemini://a/b/c/.g'],
  ['g..', 'gemini://a/b/c/g..'],
  ['..g', 'gemini://a/b/c/..g'],
  ['./../g', 'gemini://a/b/g'],
  ['./g/.', 'gemini://a/b/c/g/'],
  ['g/./h', 'gemini://a/b/c/g/h'],
  ['g/../h', 'gemini://a/b/c/h'],
  ['g;x=1/./y', 'gemini://a/b/c/g;x=1/y'],
  ['g;x=1/../y', 'gemini://a/b/c/y'],
  ['g?y/./x', 'gemini://a/b/c/g?y/./x'],
  ['g?y/../x', 'gemini://a/b/c/g?y/../x'],
  ['g#s/./x', 'gemini://a/b/c/g#s/./x'],
  ['g#s/../x', 'gemini://a/b/c/g#s/../x'],
  // As a strict parser has it.
  ['gemini:g', 'gemini:g'],
];

describe('references', () => {
  const base = referenceBase('gemini://a/b/c/d;p');

  test.each(EXAMPLES)('%j resolves as RFC 3986 says', (reference, target) => {
    expect(resolveReference(base, reference)).toBe(target);
  });

  test('no text makes it throw; what comes out is absolute and stands for itself', () => {
    fc.assert(
      fc.property(fc.oneof(tail, fc.string({ unit: 'binary' })), (reference) => {
        const resolved = resolveReference(base, reference);
        fc.pre(resolved !== null);
        expect(resolved).toMatch(/^[A-Za-z][A-Za-z0-9+.-]*:/);
        expect(resolveReference(base, resolved)).toBe(resolved);
      }),
    );
  });

  test('paths resolve as other implementations resolve them', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', '.', '..', ''), { minLength: 1, maxLength: 8 })
      .map((segments) => segments.join('/'))
      .filter((text) => !text.startsWith('//'));
    fc.assert(
      fc.property(path, path, (from, reference) => {
        const page = new URL(from, 'http://h/');
        const expected = new URL(reference, page).pathname;
        const resolved = resolveReference({ origin: 'gemini://h', path: page.pathname }, reference);
        expect(resolved).toBe(`gemini://h${expected}`);
      }),
    );
  });
});
