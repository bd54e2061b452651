import { describe, expect, test } from '@jest/globals';
import { isRefused } from '../../../../src/safety/core/robots-decision.js';
import { parseRule } from '../../../../src/safety/core/robots-pattern.js';

function refuses(rule: string, ...paths: string[]): boolean {
  return isRefused(parseRule(rule), paths);
}

describe('a rule', () => {
  test.each<[string, string, boolean]>([
    ['/', '/', true],
    ['/', '/x', true],
    ['/private', '/private', true],
    ['/private', '/private/x', true],
    ['/private', '/privateer', true],
    ['/private', '/priv', false],
    ['/private', '/x/private', false],
    ['/private', '/Private', false],
    ['private', '/private', false],
    ['/exact$', '/exact', true],
    ['/exact$', '/exactly', false],
    ['/exact$', '/exact/', false],
    ['/$', '/', true],
    ['/$', '/x', false],
    ['/a$b', '/a$b', true],
    ['/a$b', '/a', false],
    ['$', '/', false],
    ['*', '/', true],
    ['/*', '/x', true],
    ['/*$', '/', true],
    ['/*$', '/x', true],
    ['/*.cgi$', '/a/b.cgi', true],
    ['/*.cgi$', '/a/b.cgi/x', false],
    ['/*.cgi$', '/a.cgi/b.cgi', true],
    ['/*.cgi', '/a/b.cgi/x', true],
    ['/w/*/end', '/w/mid/end', true],
    ['/w/*/end', '/w/end', false],
    ['/w/*/end', '/w//end', true],
    ['/w/*end', '/w/end', true],
    ['/**a', '/ba', true],
    ['/a*', '/a', true],
    ['/a*$', '/a', true],
    ['*.gmi', '/x.gmi', true],
    ['*a*b', '/xaxb', true],
    ['*a*b', '/xbxa', false],
    ['/*ab*ab$', '/xab', false],
    ['/*ab*ab$', '/xabab', true],
    ['/a*a$', '/a', false],
    ['/a*a$', '/aa', true],
    ['/*aab', '/aaab', true],
    ['/*abcabcabcabd', '/abcabcabcabcabd', true],
    ['/*abcabcabcabd', '/abcabcabcabcabc', false],
  ])('%s and %s: refused %s', (rule, path, refused) => {
    expect(refuses(rule, path)).toBe(refused);
  });
});

describe('escapes', () => {
  test.each<[string, string, boolean]>([
    ['/~user', '/%7Euser/x', true],
    ['/%7euser', '/~user/x', true],
    ['/%7Euser', '/%7euser', true],
    ['/private', '/%70rivate/x', true],
    ['/bücher', '/b%C3%BCcher', true],
    ['/b%c3%bccher', '/bücher', true],
    ['/b%FCcher', '/b%FEcher', false],
    ['/b%FCcher', '/b%fccher', true],
    ['/a%2Ab', '/a*b', true],
    ['/a%2Ab', '/axb', false],
    ['/a%24', '/a$', true],
    ['/a%24', '/a', false],
    ['/a%24', '/a$b', true],
    ['/100%', '/100%', true],
    ['/%zz', '/%zz/x', true],
    ['/%70', '/%2570', true],
    ['/*%2f..', '/x/..', true],
  ])('%s and %s: refused %s', (rule, path, refused) => {
    expect(refuses(rule, path)).toBe(refused);
  });
});

describe('dot segments', () => {
  test.each<[string, string, boolean]>([
    ['/private', '/a/../private/x', true],
    ['/private', '/a/%2e%2e/private/x', true],
    ['/private', '/a%2F..%2Fprivate/x', true],
    ['/private', '/./private', true],
    ['/private', '/../../private', true],
    ['/private', '/a/../b/../../private', true],
    ['/a/$', '/a/b/..', true],
    ['/a/$', '/a/.', true],
    ['/$', '/..', true],
    ['/a', '/a/../b', true],
    ['/private', '/a/..private', false],
    ['/private', '/a/.../private', false],
    ['/.hidden', '/.hidden', true],
    ['1/archives', '1/a/../archives/x', true],
    ['1/archives', '1/../archives/x', true],
    ['/1/archives', '1/../archives/x', true],
  ])('%s and %s: refused %s', (rule, path, refused) => {
    expect(refuses(rule, path)).toBe(refused);
  });
});

test('any of several spellings is enough', () => {
  expect(refuses('1/archives', '/archives/a', '/1/archives/a', '1/archives/a')).toBe(true);
  expect(refuses('/archives', '/archives/a', '/1/archives/a', '1/archives/a')).toBe(true);
  expect(refuses('0/archives', '/archives/a', '/1/archives/a', '1/archives/a')).toBe(false);
});

test('no rule refuses nothing', () => {
  expect(isRefused([], ['/'])).toBe(false);
});

describe('rules made to keep us busy', () => {
  const longPath = `/${'a'.repeat(8000)}`;

  test('a rule full of stars is matched, not refused', () => {
    expect(refuses(`/*${'a*'.repeat(40)}ab`, longPath)).toBe(false);
    expect(refuses(`/*${'a*'.repeat(4000)}a`, longPath)).toBe(true);
  });

  test('a file full of them counts as refusing', () => {
    const rules = Array.from({ length: 30_000 }, (_, i) => parseRule(`/*${'ab'.repeat(3)}${i}`)).flat();
    expect(isRefused(rules, [longPath])).toBe(true);
    expect(isRefused(rules, ['/a'])).toBe(false);
  });

  test('a long file of ordinary rules is none of them', () => {
    const rules = Array.from({ length: 30_000 }, (_, i) => parseRule(`/dir/${i}`)).flat();
    expect(isRefused(rules, [longPath, `1${longPath}`])).toBe(false);
    expect(isRefused(rules, ['/dir/29999'])).toBe(true);
  });
});
