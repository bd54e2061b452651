import { describe, expect, test } from '@jest/globals';
import { decodeBody, type GeminiDocument } from '../../../../src/gemini/core/document.js';
import { finalMediaType } from '../../../../src/gemini/core/media.js';
import { parseMime } from '../../../../src/gemini/core/mime.js';

function decoded(meta: string, body: Buffer, isPart = false): GeminiDocument {
  const declared = parseMime(meta);
  return decodeBody(finalMediaType(declared, body), declared, body, isPart);
}

describe('text', () => {
  test('line breaks become LF; size is that of the body, the total counts what is shown', () => {
    expect(decoded('text/plain', Buffer.from('one\r\ntwo\rthree\n\u200b🦊'))).toMatchObject({
      kind: 'text',
      text: 'one\ntwo\nthree\n🦊',
      size: 22,
      totalChars: 15,
      lossy: false,
      mime: { type: 'text', subtype: 'plain', charset: 'utf-8', lang: null },
    });
  });

  test('escape sequences, controls and a byte order mark go', () => {
    expect(decoded('text/html', Buffer.from('\ufeff<b>\u001b[1mx\u0000</b>'))).toMatchObject({ text: '<b>x</b>' });
  });

  test('gemtext keeps its line breaks, which offsets count', () => {
    expect(decoded('text/gemini; lang=de', Buffer.from('\ufeff# a\r\nb\rc'))).toMatchObject({
      kind: 'gemtext',
      text: '# a\r\nb\rc',
      totalChars: 8,
      mime: { type: 'text', subtype: 'gemini', charset: 'utf-8', lang: 'de' },
    });
  });

  test.each([
    ['text/plain; charset=UTF-8', Buffer.from('é'), 'é', 'UTF-8'],
    ['text/plain; charset=x-nope', Buffer.from('café'), 'café', 'utf-8'],
    ['text/plain; charset=IBM437', Buffer.from([0xc9, 0xcd, 0xbb]), '╔═╗', /^(IBM437|cp437|ibm437)$/],
    ['text/plain; charset=windows-1252', Buffer.from([0x93, 0x94]), '“”', 'windows-1252'],
    ['text/plain', Buffer.from([0x93, 0x61, 0x94]), '“a”', 'windows-1252'],
  ])('charset of %s', (meta, body, text, charset) => {
    const document = decoded(meta, body);
    expect(document).toMatchObject({ text });
    expect(document.mime.charset).toMatch(charset);
  });

  test('a body that was cut loses the character that the cut parted, and stays UTF-8', () => {
    const body = Buffer.from('schön 🦊').subarray(0, -1);
    expect(decoded('text/plain', body, true)).toMatchObject({
      text: 'schön ',
      lossy: false,
      mime: { charset: 'utf-8' },
    });
    expect(decoded('text/plain; charset=utf8', body, true)).toMatchObject({ text: 'schön ', lossy: false });
    expect(decoded('text/plain', Buffer.from('schö'), true)).toMatchObject({ text: 'schö' });
  });

  test('what is held counts one byte a character for ASCII, two otherwise', () => {
    const plain = decoded('text/plain', Buffer.from('a'.repeat(1000))).heldBytes;
    const wide = decoded('text/plain', Buffer.from(`é${'a'.repeat(999)}`)).heldBytes;
    expect(wide - plain).toBe(1000);
  });
});

test('a binary body keeps its metadata alone', () => {
  const document = decoded('image/png; charset=latin1; lang=en', Buffer.alloc(5000));
  expect(document).toMatchObject({
    kind: 'binary',
    size: 5000,
    mime: { type: 'image', subtype: 'png', charset: 'latin1', lang: 'en' },
  });
  expect(document.heldBytes).toBeLessThan(1000);
});
