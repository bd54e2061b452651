import { describe, expect, test } from '@jest/globals';
import { decodeText, encodeText } from '../../../../src/common/text/charset.js';

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function utf16le(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

describe('without a label', () => {
  test.each<[string, Buffer, string, string, boolean]>([
    ['nothing', Buffer.alloc(0), '', 'utf-8', false],
    ['ASCII', Buffer.from('plain'), 'plain', 'utf-8', false],
    ['UTF-8', Buffer.from('naïve ☃ 𝒳'), 'naïve ☃ 𝒳', 'utf-8', false],
    ['UTF-8 with a mark', Buffer.from('\ufeffTitle'), 'Title', 'utf-8', false],
    ['UTF-8 with a mark and a bad byte', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]), 'a\ufffd', 'utf-8', true],
    ['UTF-8 with fewer bad bytes than characters', latin1('\xc3\xa9\xc3\xa8 ok \xff'), 'éè ok \ufffd', 'utf-8', true],
    ['UTF-8 with as many bad bytes as characters', latin1('\xc3\xa9 \xff'), 'é \ufffd', 'utf-8', true],
    ['UTF-8 cut in the middle of a character', latin1('\xc3\xa9\xe2\x98'), 'é\ufffd', 'utf-8', true],
    ['windows-1252 letters', latin1('caf\xe9 na\xefve'), 'café naïve', 'windows-1252', false],
    [
      'windows-1252 quotes and dashes',
      latin1('don\x92t \x93quote\x94 \x96 \x80'),
      'don’t “quote” – €',
      'windows-1252',
      false,
    ],
    ['windows-1252 with more bad bytes than UTF-8', latin1('\xc3\xa9 \xe9 \xe8'), 'Ã© é è', 'windows-1252', false],
    [
      'upper-case French, no line art',
      latin1('\xc9T\xc9 \xc0 LA GRANDE \xceLE'),
      'ÉTÉ À LA GRANDE ÎLE',
      'windows-1252',
      false,
    ],
    ['an undefined byte among windows-1252 letters', latin1('\xe9\xe8\xe0 \x81'), 'éèà \ufffd', 'windows-1252', true],
    [
      'CP437 frames',
      latin1('\xc9\xcd\xcd\xbb\r\n\xba\xdb\xdb\xba\r\n\xc8\xcd\xcd\xbc'),
      '╔══╗\r\n║██║\r\n╚══╝',
      'cp437',
      false,
    ],
    ['CP437 shades', latin1('\xb0\xb1\xb2\xdb\xb2\xb1\xb0'), '░▒▓█▓▒░', 'cp437', false],
    ['CP437 letters', latin1('f\x81r M\x84nner gr\x94\xe1er'), 'für Männer größer', 'cp437', false],
    ['UTF-16LE with a mark', utf16le('\ufeffHello wörld'), 'Hello wörld', 'utf-16le', false],
    ['UTF-16BE with a mark', utf16be('\ufeffHello wörld'), 'Hello wörld', 'utf-16be', false],
    ['UTF-16LE without a mark', utf16le('Hello'), 'Hello', 'utf-16le', false],
    ['UTF-16BE without a mark', utf16be('Hello'), 'Hello', 'utf-16be', false],
    ['UTF-16 with a mark and a lone surrogate', utf16le('\ufeffa\ud800b'), 'a\ufffdb', 'utf-16le', true],
    ['UTF-16 with a mark and an odd byte', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]), 'a\ufffd', 'utf-16le', true],
    ['a UTF-16 mark alone', Buffer.from([0xff, 0xfe]), '', 'utf-16le', false],
    ['UTF-32LE with a mark', Buffer.from([0xff, 0xfe, 0, 0, 0x03, 0x26, 0, 0]), '☃', 'utf-32le', false],
    ['UTF-32BE with a mark', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0x26, 0x03]), '☃', 'utf-32be', false],
    ['text with a stray NUL is not UTF-16', Buffer.from('He\0llo wor'), 'He\0llo wor', 'utf-8', false],
    ['a short text with NULs is not UTF-16', Buffer.from('a\0b\0'), 'a\0b\0', 'utf-8', false],
  ])('%s', (_, bytes, text, charset, lossy) => {
    expect(decodeText(bytes, null)).toEqual({ text, charset, lossy });
  });
});

describe('with a label', () => {
  test.each<[string, Buffer, string]>([
    ['utf-8', Buffer.from('☃'), '☃'],
    ['UTF-8', Buffer.from('☃'), '☃'],
    ['utf8', Buffer.from('☃'), '☃'],
    ['us-ascii', Buffer.from('x'), 'x'],
    ['iso-8859-1', latin1('caf\xe9 \x93q\x94'), 'café “q”'],
    ['latin1', latin1('caf\xe9'), 'café'],
    ['iso-8859-2', latin1('\xbelu\xbb'), 'žluť'],
    ['ISO-8859-15', latin1('\xbduvre \xa4'), 'œuvre €'],
    ['iso-8859-16', latin1('\xbauver\xaf'), 'șuverŻ'],
    ['windows-1250', latin1('\x9eivot'), 'život'],
    ['windows-1251', latin1('\xcf\xf0\xe8\xe2\xe5\xf2'), 'Привет'],
    ['windows-1252', latin1('\x93smart\x94'), '“smart”'],
    ['koi8-r', latin1('\xf0\xd2\xc9\xd7\xc5\xd4'), 'Привет'],
    ['KOI8-U', latin1('\xa7'), 'ї'],
    ['cp437', latin1('\xc9\xcd\xbb caf\x82'), '╔═╗ café'],
    ['IBM437', latin1('\xb0\xb1\xb2\xdb'), '░▒▓█'],
    ['cp850', latin1('\xa4and\xa3'), 'ñandú'],
    ['850', latin1('\x9b'), 'ø'],
    ['ibm866', latin1('\x8f\xe0\xa8\xa2\xa5\xe2'), 'Привет'],
    ['macintosh', latin1('\x81ngstr\x9am'), 'Ångström'],
    ['x-mac-cyrillic', latin1('\x8f\xf0\xe8\xe2\xe5\xf2'), 'Привет'],
    ['shift_jis', latin1('\x93\xfa\x96{\x8c\xea'), '日本語'],
    ['euc-jp', latin1('\xc6\xfc\xcb\xdc'), '日本'],
    ['iso-2022-jp', latin1('\x1b$BF|K\\\x1b(B'), '日本'],
    ['euc-kr', latin1('\xc7\xd1\xb1\xdb \x8cc'), '한글 똠'],
    ['gb2312', latin1('\xd6\xd0\xce\xc4'), '中文'],
    ['gb18030', latin1('\x81\x30\x89\x38'), 'ß'],
    ['big5', latin1('\xa4\xa4\xa4\xe5'), '中文'],
    ['utf-16', utf16le('\ufeffhi'), 'hi'],
    ['utf-16le', utf16le('žluť'), 'žluť'],
    ['utf-16be', utf16be('日本'), '日本'],
    ['utf-32le', Buffer.from([0x03, 0x26, 0, 0]), '☃'],
    ['utf-32be', Buffer.from([0, 0, 0x26, 0x03]), '☃'],
    ['utf-32', Buffer.from([0x61, 0, 0, 0, 0x03, 0x26, 0, 0]), 'a☃'],
    ['tcvn-5712', latin1('\xb5'), 'à'],
    ['viscii', latin1('\xe0'), 'à'],
    [' Windows-1252 ', latin1('\x80'), '€'],
  ])('%j is honoured and reported as it was given', (label, bytes, text) => {
    expect(decodeText(bytes, label)).toEqual({ text, charset: label.trim(), lossy: false });
  });

  test.each([
    '',
    'x-nope',
    'unicode_escape',
    'utf-7',
    'ebcdic-at-de',
    'x-user-defined',
    'replacement',
    'hex',
    'x'.repeat(10_000),
  ])('%j names no charset: UTF-8 is tried', (label) => {
    expect(decodeText(Buffer.from('C:\\new \\u0041 +AGE- é'), label)).toEqual({
      text: 'C:\\new \\u0041 +AGE- é',
      charset: 'utf-8',
      lossy: false,
    });
  });

  test.each<[string, string, Buffer, string, string]>([
    ['utf-8 over line art', 'utf-8', latin1('\xc9\xcd\xcd\xbb \xc8\xcd\xcd\xbc'), '╔══╗ ╚══╝', 'cp437'],
    ['utf-8 over windows-1252', 'utf-8', latin1('caf\xe9'), 'café', 'windows-1252'],
    ['utf-8 over UTF-16', 'utf-8', utf16le('Hello'), 'Hello', 'utf-16le'],
    ['utf-8 over marked UTF-16', 'utf-8', utf16be('\ufeffHello'), 'Hello', 'utf-16be'],
    ['iso-8859-1 over marked UTF-8', 'iso-8859-1', Buffer.from('\ufeffé'), 'é', 'utf-8'],
    ['us-ascii over UTF-8', 'us-ascii', Buffer.from('é'), 'é', 'utf-8'],
    ['us-ascii over windows-1252', 'us-ascii', latin1('caf\xe9'), 'café', 'windows-1252'],
    ['utf-16 over ASCII', 'utf-16', Buffer.from('plain text'), 'plain text', 'utf-8'],
    ['utf-32 over ASCII', 'utf-32', Buffer.from('plain text'), 'plain text', 'utf-8'],
    ['utf-16le over UTF-16BE', 'utf-16le', utf16be('Hello'), 'Hello', 'utf-16be'],
    ['shift_jis over UTF-8', 'shift_jis', Buffer.from('日本語テスト'), '日本語テスト', 'utf-8'],
    ['gb2312 over windows-1252', 'gb2312', latin1('caf\xe9 \xe0 \xe8'), 'café à è', 'windows-1252'],
  ])('%s is left behind', (_, label, bytes, text, charset) => {
    expect(decodeText(bytes, label)).toEqual({ text, charset, lossy: false });
  });

  test('a label that fits but for one byte is kept', () => {
    const { text, charset, lossy } = decodeText(latin1('\x93\xfa\x96{\x8c\xea \xff'), 'shift_jis');
    expect({ charset, lossy }).toEqual({ charset: 'shift_jis', lossy: true });
    expect(text).toMatch(/^日本語 /);
  });

  test('damaged UTF-8 under its own label stays UTF-8', () => {
    expect(decodeText(latin1('\xc3\xa9\xc3\xa8 \xff'), 'UTF-8')).toEqual({
      text: 'éè \ufffd',
      charset: 'utf-8',
      lossy: true,
    });
  });
});

describe('encodeText is the way back', () => {
  test.each([
    ['utf-8', 'é☃𝒳'],
    ['windows-1252', 'café “q” €'],
    ['iso-8859-1', 'café'],
    ['latin1', 'café'],
    ['koi8-r', 'Привет'],
    ['cp437', '╔═╗ café'],
    ['IBM850', 'ñandú'],
    ['x-mac-cyrillic', 'Привет'],
    ['shift_jis', '日本語テスト'],
    ['euc-kr', '한글 똠'],
    ['gb18030', '中文 ã 𝒳'],
    ['big5', '中文'],
    ['utf-16le', 'a☃'],
    ['utf-16be', 'a☃ longer'],
    ['utf-32le', 'a☃𝒳'],
  ])('%s', (charset, text) => {
    const bytes = encodeText(text, charset);
    expect(bytes && decodeText(bytes, charset).text).toBe(text);
  });

  test('the bytes are those of the charset', () => {
    expect(encodeText('café', 'windows-1252')).toEqual(latin1('caf\xe9'));
    expect(encodeText('é', 'cp437')).toEqual(Buffer.from([0x82]));
    expect(encodeText('☃', 'utf-16be')).toEqual(Buffer.from([0x26, 0x03]));
    expect(encodeText('☃', 'utf-32be')).toEqual(Buffer.from([0, 0, 0x26, 0x03]));
  });

  test.each([
    ['a character that the charset lacks', '☃', 'windows-1252'],
    ['the replacement character, whose byte is lost', 'caf\ufffd', 'windows-1252'],
    ['an unknown charset', 'x', 'x-nope'],
    ['a charset without an encoder', '日本', 'iso-2022-jp'],
  ])('%s gives null', (_, text, charset) => {
    expect(encodeText(text, charset)).toBeNull();
  });

  test('every byte of an 8-bit charset comes back', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    for (const charset of ['cp437', 'cp850', 'ibm866', 'koi8-r', 'iso-8859-2', 'iso-8859-15', 'windows-1256']) {
      const { text } = decodeText(all, charset);
      expect([charset, encodeText(text, charset)]).toEqual([charset, all]);
    }
  });
});
