import { describe, expect, test } from '@jest/globals';
import { parseMediaType, parseMime } from '../../../../src/gemini/core/mime.js';

const GEMTEXT = { type: 'text', subtype: 'gemini' };
const PLAIN = { type: 'text', subtype: 'plain' };

describe('parseMime', () => {
  test.each([
    ['', GEMTEXT, null, null],
    ['   ', GEMTEXT, null, null],
    ['text/plain', PLAIN, null, null],
    ['TEXT/Plain; CHARSET="UTF-8"; LANG=DE', PLAIN, 'UTF-8', 'DE'],
    [' text /plain ', PLAIN, null, null],
    ['text/gemini; lang=en,fr; charset=utf-8', GEMTEXT, 'utf-8', 'en,fr'],
    ['TEXT/Gemini ; Foo="bar"; CharSet="ISO-8859-1";lang=fr', GEMTEXT, 'ISO-8859-1', 'fr'],
    ['text/plain;charset=\'us-ascii\';lang="en, de"', PLAIN, 'us-ascii', 'en,de'],
    ['text/plain; lang=en, fr', PLAIN, null, 'en,fr'],
    ['text/plain; lang=e n!', PLAIN, null, null],
    ['text/plain; lang=en,,fr', PLAIN, null, null],
    ['text/plain; charset=; lang=', PLAIN, null, null],
    ['text/plain; charset=""', PLAIN, null, null],
    ['text/plain; charset=utf-8; charset=latin1', PLAIN, 'latin1', null],
    ['text/plain; charset=latin1; charset=', PLAIN, 'latin1', null],
    ['text/gemini; charset; ;=; lang=', GEMTEXT, null, null],
    ['text/plain; note="a; charset=utf-16"; lang=en', PLAIN, null, 'en'],
    ['text/plain; note="a \\"; charset=utf-16"; lang=en', PLAIN, null, 'en'],
    ['text/plain; note = "a; charset=utf-16"; lang=en', PLAIN, null, 'en'],
    ['text/plain; note="a; lang=en', PLAIN, null, 'en'],
    ['text/plain; note=5"; lang=en; x="', PLAIN, null, 'en'],
    ['text/plain; charset=ut\u001b[1mf-8\u202e', PLAIN, 'utf-8', null],
    ['nonsense; charset=latin1', null, 'latin1', null],
    ['; charset=utf-8', null, 'utf-8', null],
  ])('%j', (meta, media, charset, lang) => {
    expect(parseMime(meta)).toEqual({ media, charset, lang });
  });
});

describe('parseMediaType', () => {
  test.each(['nonsense', 'text/', '/plain', 'text/plain/x', 'text/pl\u001bain', 'te xt/plain', 'text/plaïn', ''])(
    '%j names no type',
    (text) => {
      expect(parseMediaType(text)).toBeNull();
    },
  );

  test('tokens may hold more than letters', () => {
    expect(parseMediaType('Application/VND.x-y+json')).toEqual({ type: 'application', subtype: 'vnd.x-y+json' });
  });
});
