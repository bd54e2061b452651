import { describe, expect, test } from '@jest/globals';
import { authorityOf, referenceBase, resolveReference, schemeOf } from '../../../../src/gemini/core/reference.js';

const PAGE = 'gemini://h:1966/d/e/page.gmi';

function resolved(target: string, page = PAGE): string | null {
  return resolveReference(referenceBase(page), target);
}

describe('resolution', () => {
  test.each([
    ['/abs', 'gemini://h:1966/abs'],
    ['rel.gmi', 'gemini://h:1966/d/e/rel.gmi'],
    ['sub/dir/', 'gemini://h:1966/d/e/sub/dir/'],
    ['../up', 'gemini://h:1966/d/up'],
    ['../../../../over', 'gemini://h:1966/over'],
    ['.', 'gemini://h:1966/d/e/'],
    ['..', 'gemini://h:1966/d/'],
    ['/./x/../y', 'gemini://h:1966/y'],
    [':bad', 'gemini://h:1966/d/e/:bad'],
    ['1a:b', 'gemini://h:1966/d/e/1a:b'],
    ['./a:b', 'gemini://h:1966/d/e/a:b'],
    ['?q=1', 'gemini://h:1966/d/e/page.gmi?q=1'],
    ['?q=/../x', 'gemini://h:1966/d/e/page.gmi?q=/../x'],
    ['x?q=/../y', 'gemini://h:1966/d/e/x?q=/../y'],
    ['#frag', 'gemini://h:1966/d/e/page.gmi#frag'],
    ['#/../x', 'gemini://h:1966/d/e/page.gmi#/../x'],
    ['//other.test/z', 'gemini://other.test/z'],
    ['//other.test', 'gemini://other.test'],
  ])('relative: %s', (target, url) => {
    expect(resolved(target)).toBe(url);
  });

  test.each([
    'gemini://a.test/x',
    'GEMINI://Up.example/Z',
    'gemini://a.test/./b/../c',
    'mailto:a@b.test',
    'gopher://g.example/1/',
    'https://web.example',
    'javascript:alert(1)',
    'a:b',
    'file:///etc/hosts',
    'x-y+z.1:?#',
  ])('a target with a scheme stays as it is: %s', (target) => {
    expect(resolved(target)).toBe(target);
  });

  test.each([
    ['#', 'gemini://h:1966/d/e/page.gmi'],
    ['', 'gemini://h:1966/d/e/page.gmi'],
    ['?', 'gemini://h:1966/d/e/page.gmi?'],
  ])('%j is the page itself; an empty query stays', (target, url) => {
    expect(resolved(target)).toBe(url);
  });

  test.each(['//[::1', 'http://[::1', '//h:999999/', 'gemini://h:x/', '//', '///x', '//[no-colon]/'])(
    '%s cannot be resolved',
    (target) => {
      expect(resolved(target)).toBeNull();
    },
  );

  test.each([
    ['/a b', 'gemini://h:1966/a%20b'],
    ['ü?ö#ä', 'gemini://h:1966/d/e/%C3%BC?%C3%B6#%C3%A4'],
    ['gemini://bücher.example/ü 🦊', 'gemini://bücher.example/%C3%BC%20%F0%9F%A6%8A'],
    ['mailto:ü@b.test', 'mailto:%C3%BC@b.test'],
    ['/sp%20ace%zz"<>', 'gemini://h:1966/sp%20ace%zz"<>'],
  ])('what a fetch would refuse is encoded: %s', (target, url) => {
    expect(resolved(target)).toBe(url);
  });

  test('a page at the root without a path in the base', () => {
    expect(resolved('x', 'gemini://h')).toBe('gemini://h/x');
  });
});

describe('parts', () => {
  test.each([
    ['HTTPS://h/', 'https'],
    ['a+b-c.1:x', 'a+b-c.1'],
    ['1a:b', ''],
    ['/x:y', ''],
    ['nothing', ''],
    [':x', ''],
  ])('scheme of %s is %j', (url, scheme) => {
    expect(schemeOf(url)).toBe(scheme);
  });

  test.each([
    ['https://u@h:1/x', 'u@h:1'],
    ['https://h?x', 'h'],
    ['mailto:a@b', null],
  ])('authority of %s is %j', (url, authority) => {
    expect(authorityOf(url)).toBe(authority);
  });
});
