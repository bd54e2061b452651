import { describe, expect, test } from '@jest/globals';
import { decodeBody, type GopherDocument } from '../../../../src/gopher/core/document.js';

const PNG = Buffer.from('iVBORw0KGgoAAAAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');
const ERROR = Buffer.from('3No such file\u202e\t\terror.host\t1\r\n.\r\n');

function decoded(type: string, body: Buffer | string, incomplete = false): GopherDocument {
  const result = decodeBody(type, Buffer.from(body), incomplete, 'h.example');
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('document of a body', () => {
  test.each([
    ['1', 'menu'],
    ['7', 'menu'],
    ['0', 'text'],
    ['h', 'text'],
    ['i', 'text'],
    ['3', 'text'],
    ['Z', 'text'],
    ['9', 'binary'],
    ['I', 'binary'],
  ])('type %s is %s', (type, kind) => {
    expect(decoded(type, 'x')).toMatchObject({ kind, bytes: 1 });
  });

  test.each(['+', 'Z', '0', 'h', '1'])('an image under type %s is reported as binary', (type) => {
    expect(decoded(type, PNG)).toMatchObject({ kind: 'binary', mimeType: 'image/png', bytes: 28, unexpected: true });
  });

  test('an image under type I is expected', () => {
    expect(decoded('I', PNG)).toMatchObject({ kind: 'binary', mimeType: 'image/png', unexpected: false });
  });

  test.each(['GIF89a, and how it came about', '%PDF is a signature', 'OggS!'])('%j is text', (text) => {
    expect(decoded('0', text)).toMatchObject({ kind: 'text', text });
  });

  test('unknown binary content under a binary type has the type of any bytes', () => {
    expect(decoded('9', '')).toMatchObject({ mimeType: 'application/octet-stream', bytes: 0 });
  });

  test('a text says how it was decoded and how long it is', () => {
    expect(decoded('0', 'é😀\r\n.\r\n')).toMatchObject({
      text: 'é😀\n',
      totalChars: 3,
      charset: 'utf-8',
      lossy: false,
      bytes: 11,
    });
    expect(decoded('0', 'éé \xff'.normalize())).toMatchObject({ lossy: false });
    expect(decoded('0', Buffer.from([0xc3, 0xa9, 0x20, 0xff]))).toMatchObject({ charset: 'utf-8', lossy: true });
  });

  test('held bytes follow the length of the text', () => {
    expect(decoded('0', 'a'.repeat(1000)).heldBytes).toBeLessThan(1500);
    expect(decoded('0', '☃'.repeat(1000)).heldBytes).toBeGreaterThan(2000);
    expect(decoded('1', 'a\tb\n'.repeat(1000)).heldBytes).toBeGreaterThan(4000);
  });
});

describe('bodies that end early', () => {
  test('a menu loses the line it was cut in', () => {
    const body = '0a\t/a\th\t70\r\n0b\t/b';
    const whole = '0a\t/a\th\t70\r\n';
    expect(decoded('1', body, true)).toMatchObject({ source: { text: whole }, bytes: body.length });
    expect(decoded('1', 'one line', true)).toMatchObject({ source: { text: '' } });
  });

  test.each([
    [[0x61, 0xc3], 'a'],
    [[0x61, 0xe2, 0x98], 'a'],
    [[0x61, 0xf0, 0x9f, 0x98], 'a'],
    [[0x61, 0xc3, 0xa9], 'aé'],
    [[0x61], 'a'],
  ])('a text loses the character it was cut in: %j', (bytes, text) => {
    expect(decoded('0', Buffer.from(bytes), true)).toMatchObject({ text, lossy: false });
  });
});

describe('an error line in place of a file', () => {
  test.each(['0', 'h', '9', 'I', '+'])('fails a request of type %s', (type) => {
    const result = decodeBody(type, ERROR, false, 'h.example');
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'GOPHER_ERROR', message: expect.stringContaining('h.example'), facts: { meta: 'No such file' } },
    });
  });

  test('is an item of a menu', () => {
    expect(decoded('1', ERROR)).toMatchObject({ kind: 'menu' });
  });
});
