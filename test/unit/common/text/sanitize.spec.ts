import { describe, expect, test } from '@jest/globals';
import { hasDroppable, sanitizeField, sanitizeText } from '../../../../src/common/text/sanitize.js';

const ESC = '\x1b';

describe('what is kept', () => {
  test.each([
    ['plain ASCII', 'The quick brown fox, 100 %'],
    ['letters of many scripts', 'Žluťoučký שלום नमस्ते مرحبا 日本語 𝒳'],
    ['a family joined by ZERO WIDTH JOINER', '👨‍👩‍👧'],
    ['an emoji with skin tone, joiner and variation selector', '👩🏽‍🚀 ❤️ 1️⃣ 🏳️‍🌈'],
    ['Persian with ZERO WIDTH NON-JOINER', 'می‌خواهم'],
    ['a Devanagari conjunct with joiner', 'क्‍ष'],
    ['the longest run of joiners that a script needs', 'ل\u200d\u200c\u200dا'],
    ['an ideographic variation sequence', '葛\u{e0100}城 \u{20bb7}\u{e0101}'],
    ['a Mongolian free variation selector', '\u1820\u180b'],
    [
      'Arabic number signs and other visible format characters',
      '\u0600\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}',
    ],
    ['all kinds of spaces', 'a\u00a0b\u2003c\u3000d\u202fe'],
    ['an unassigned character', 'u\u0378v'],
    ['the replacement character', 'v\ufffdw'],
    ['noncharacters', '\ufffe\uffff\u{10ffff}'],
  ])('%s', (_, text) => {
    expect(sanitizeText(text)).toBe(text);
    expect(sanitizeField(text)).toBe(text);
    expect(hasDroppable(text)).toBe(false);
  });

  test('line breaks and TAB stay in a body and go from a field', () => {
    expect(sanitizeText('a\tb\r\nc')).toBe('a\tb\r\nc');
    expect(sanitizeField('a\tb\r\nc')).toBe('abc');
    expect(hasDroppable('a\nb')).toBe(true);
  });
});

describe('what is dropped', () => {
  test.each([
    ['C0 controls and DEL', 'a\0\x01\x07\x0b\x0c\x1a\x1c\x1fb\x7fc'],
    ['C1 controls', 'a\x80\x85\x8f\x91\x9cb\x99c'],
    ['the byte order mark', '\ufeffabc'],
    ['zero-width and invisible operators', 'a\u200b\u2060\u2061\u2064b\u180ec'],
    ['soft hyphen', 'a\u00adbc'],
    ['bidirectional marks, overrides and isolates', 'a\u200e\u200f\u061c\u202a\u202eb\u2066\u2069\u202cc'],
    ['line and paragraph separators', 'a\u2028b\u2029c'],
    ['private use, all three ranges', 'a\ue000\uf8ffb\u{f0000}\u{ffffd}c\u{100000}\u{10fffd}'],
    ['lone surrogates', 'a\ud800b\udc00c\udbff'],
    ['tag characters', 'a\u{e0001}\u{e0041}b\u{e007f}c'],
    ['interlinear annotation', 'a\ufff9b\ufffac\ufffb'],
    ['musical, shorthand and hieroglyph format controls', 'a\u{1d173}\u{1d17a}b\u{1bca0}\u{1bca3}c\u{13430}\u{1343f}'],
    ['reserved invisible code points', 'a\u2065\ufff0b\u{e0000}\u{e0080}\u{e01f0}\u{e0fff}c'],
  ])('%s', (_, text) => {
    expect(sanitizeText(text)).toBe('abc');
    expect(sanitizeField(text)).toBe('abc');
    expect(hasDroppable(text)).toBe(true);
  });

  test('tags after a flag go with the rest of them', () => {
    expect(sanitizeText('\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!')).toBe('\u{1f3f4}!');
  });
});

describe('variation selectors and joiners', () => {
  test.each([
    ['a second selector after a base', 'A\ufe0f\ufe0eB', 'A\ufe0fB'],
    ['a selector at the start of the text', '\ufe0fA', 'A'],
    ['a selector after a space', 'A \ufe0fB', 'A B'],
    ['a selector after a joiner', 'A\u200d\ufe0fB', 'A\u200dB'],
    ['a second selector behind a dropped character', 'A\ufe0f\u200b\ufe0eB', 'A\ufe0fB'],
    ['a selector of the supplement after what is no ideograph', 'A\u{e0100}\u{e0101}B', 'AB'],
    ['a second selector after an ideograph', '葛\u{e0100}\u{e0101}\ufe00', '葛\u{e0100}'],
    ['a payload of selectors', 'ok ❤️\u{e0159}\u{e0157}\u{e015e} end', 'ok ❤️ end'],
    ['joiners beyond three in a row', 'a\u200c\u200d\u200c\u200d\u200cb', 'a\u200c\u200d\u200cb'],
    [
      'joiners beyond three behind dropped characters',
      'a\u200c\u200b\u200d\u200b\u200c\u200b\u200db',
      'a\u200c\u200d\u200cb',
    ],
  ])('%s', (_, text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
    expect(sanitizeField(text)).toBe(expected);
  });
});

test('a line break is no base for a variation selector', () => {
  expect(sanitizeText('A\n\ufe0fB')).toBe('A\nB');
});

describe('terminal sequences go whole', () => {
  test.each([
    ['colours', `${ESC}[1;31mALERT${ESC}[0m all`, 'ALERT all'],
    ['cursor movement', `a${ESC}[2J${ESC}[10;20Hb`, 'ab'],
    ['an intermediate character', `a${ESC}[4 qb`, 'ab'],
    ['a private parameter', `a${ESC}[?25lb`, 'ab'],
    ['a window title ended by BEL', `a${ESC}]0;title\x07b`, 'ab'],
    ['a hyperlink ended by ST', `${ESC}]8;;http://evil.test${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    [
      'a control string of every kind',
      `a${ESC}Pq${ESC}\\${ESC}Xx${ESC}\\${ESC}^p${ESC}\\${ESC}_a${ESC}\\${ESC}kt${ESC}\\b`,
      'ab',
    ],
    ['C1 forms', 'a\x9b31mb\x9d0;title\x9cc\x90q\x07d', 'abcd'],
    ['two-character escapes', `a${ESC}7b${ESC}Mc${ESC}=d`, 'abcd'],
    ['a character set selection', `a${ESC}(Bb${ESC}#8c`, 'abc'],
    ['a lone ESC before a line break', `a${ESC}\nb`, 'a\nb'],
    ['ESC before a letter that is not ASCII', `a${ESC}éb`, 'aéb'],
    ['ESC at the end', `a${ESC}`, 'a'],
    ['a sequence cut off at the end', `a${ESC}[31`, 'a'],
    ['a sequence broken by a line break', `a${ESC}[31\nb`, 'a\nb'],
    ['a control string without an end loses its introducer only', `${ESC}]0;title of it`, '0;title of it'],
    ['a control string does not cross a line', `${ESC}]0;title\nrest\x07`, '0;title\nrest'],
    ['a control string cut by another sequence', `${ESC}]0;title${ESC}[1mrest${ESC}\\`, '0;titlerest'],
    ['ST alone', `a${ESC}\\b`, 'ab'],
  ])('%s', (_, text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
  });

  test('in a field as in a body', () => {
    expect(sanitizeField(`Your ${ESC}[5mname${ESC}]0;x\x07?`)).toBe('Your name?');
  });

  test('a control string longer than its bound stays text', () => {
    const long = 'x'.repeat(5000);
    expect(sanitizeText(`${ESC}]${long}\x07`)).toBe(long);
    expect(sanitizeText(`${ESC}]${'x'.repeat(4000)}\x07end`)).toBe('end');
  });
});

describe('backspace overstrike', () => {
  test.each([
    ['bold', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['bold struck three times', 'N\bN\bN\bN', 'N'],
    ['underlined', '_\bf_\bi_\bl_\be', 'file'],
    ['underlined afterwards', 'f\b_i\b_', 'fi'],
    ['an underlined underscore', '_\b_', '_'],
    ['a bullet', '+\bo item', 'o item'],
    ['a whole word struck twice', 'bold\b\b\b\bbold', 'bold'],
    ['a whole word underlined afterwards', 'word\b\b\b\b____', 'word'],
    ['characters beyond the Basic Multilingual Plane', '𝒳\b𝒳!', '𝒳!'],
    ['a backspace with nothing after it', 'ab\b', 'ab'],
    ['a backspace at the start', '\bab', 'ab'],
    ['a backspace before a line break', 'ab\b\nc', 'ab\nc'],
    ['more backspaces than characters after them', 'abc\b\b\bX', 'abcX'],
    ['a backspace does not reach over a line break', 'a\n\bb', 'a\nb'],
    ['an underline with nothing to underline', '\b_', '_'],
  ])('%s', (_, text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
  });

  test('a field keeps both characters: nothing there may hide what was written', () => {
    expect(sanitizeField('good\b\b\b\bevil')).toBe('goodevil');
  });
});

test('clean text is returned as the same string', () => {
  const text = 'clean '.repeat(1000);
  expect(Object.is(sanitizeText(text), text)).toBe(true);
});

test('a text of every kind at once', () => {
  const text =
    'a\x00b\x1b[31mc\x7fd\x85e\xa0f\u200bg\u200ch\u200di\u2028j\u2029k\ue000l\ufeffm\u202en\u3000o\xadp\tq\x0br\x0cs\u2060t\u{e0041}u\u0378v\ufffdw\n';
  expect(sanitizeText(text)).toBe('abcde\xa0fg\u200ch\u200dijklmn\u3000op\tqrstu\u0378v\ufffdw\n');
});
