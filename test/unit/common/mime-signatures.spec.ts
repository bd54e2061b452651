import { describe, expect, test } from '@jest/globals';
import { sniffMediaType } from '../../../src/common/mime-signatures.js';

/** The Latin-1 codes of `head`, filled up with zero bytes to `length`. */
function bytes(head: string, length = head.length): Uint8Array {
  const filled = new Uint8Array(length);
  filled.set(Buffer.from(head, 'latin1'));
  return filled;
}

function portableExecutable(headerOffset: number): Uint8Array {
  const image = bytes('MZ', 128);
  new DataView(image.buffer).setUint32(0x3c, headerOffset, true);
  if (headerOffset < 124) image.set(Buffer.from('PE\0\0'), headerOffset);
  return image;
}

describe('signatures', () => {
  test.each<[string, Uint8Array]>([
    ['image/png', bytes('\x89PNG\r\n\x1a\n')],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0')],
    ['image/gif', bytes('GIF87a')],
    ['image/gif', bytes('GIF89a...')],
    ['image/webp', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
    ['image/bmp', bytes('BM\x46\0\0\0\0\0\0\0\x36\0\0\0')],
    ['application/pdf', bytes('%PDF-1.7')],
    ['application/zip', bytes('PK\x03\x04')],
    ['application/zip', bytes('PK\x05\x06')],
    ['audio/mpeg', bytes('ID3\x04\0\0\0\0\x0a\x7f')],
    ['audio/mpeg', bytes('ID3\x02\0\0\0\0\x0a\x7f')],
    ['audio/mpeg', bytes('\xff\xfb\x90')],
    ['audio/mpeg', bytes('\xff\xf3\x90')],
    ['audio/mpeg', bytes('\xff\xf2\x90')],
    ['audio/ogg', bytes('OggS\0')],
    ['audio/wav', bytes('RIFF\x10\0\0\0WAVEfmt ')],
    ['video/mp4', bytes('\0\0\0\x18ftypmp42')],
    ['application/gzip', bytes('\x1f\x8b\x08')],
    ['application/x-7z-compressed', bytes("7z\xbc\xaf'\x1c")],
    ['application/x-msdownload', portableExecutable(0x40)],
    ['application/x-executable', bytes('\x7fELF\x02')],
  ])('%s', (type, content) => {
    expect(sniffMediaType(content)).toBe(type);
    expect(sniffMediaType(Buffer.concat([content, Buffer.from('trailing')]))).toBe(type);
  });
});

describe('what only looks like one gives null', () => {
  test.each<[string, Uint8Array]>([
    ['nothing', bytes('')],
    ['text', bytes('Hello world')],
    ['a signature cut short', bytes('\x89PNG\r\n\x1a')],
    ['a text that begins with BM', bytes('BMW is a car maker')],
    ['a bitmap header cut short', bytes('BM\x46\0\0\0\0\0\0\0\x36\0\0')],
    ['RIFF of another form', bytes('RIFF\x10\0\0\0AVI LIST')],
    ['RIFF cut short', bytes('RIFF\x10\0\0\0WEB')],
    ['ID3 of an unknown version', bytes('ID3\x05\0\0\0\0\x0a\x7f')],
    ['ID3 with revision FF', bytes('ID3\x04\xff\0\0\0\x0a\x7f')],
    ['ID3 with a size byte of 80', bytes('ID3\x04\0\0\0\0\x80\x7f')],
    ['ID3 cut short', bytes('ID3\x04\0\0\0\0\x0a')],
    ['ftyp in fewer than 12 bytes', bytes('\0\0\0\x18ftypmp4')],
    ['MZ without PE', bytes('MZ', 128)],
    ['MZ that points past the end', portableExecutable(0xffff_fff0)],
    ['MZ in fewer than 64 bytes', bytes('MZ', 63)],
    ['a signature that does not begin the body', bytes(' GIF89a')],
  ])('%s', (_, content) => {
    expect(sniffMediaType(content)).toBeNull();
  });
});

test('a view into a larger buffer is read from its own start', () => {
  const large = Buffer.concat([Buffer.from('xxx'), portableExecutable(0x40)]);
  expect(sniffMediaType(large.subarray(3))).toBe('application/x-msdownload');
});
