/** Small valid files of several media types, the same bytes every time. */
import { crc32, deflateSync, gzipSync } from 'node:zlib';

/** One transparent pixel. */
export const GIF = Buffer.from(
  '47494638396101000100800000000000ffffff21f90401000000002c000000000100010000020144003b',
  'hex',
);

/** A JPEG header and its end marker: enough for a signature. */
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n');

/** A green square of two by two pixels. */
export function png() {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const row = Buffer.from([0, 0, 255, 0, 0, 255, 0]);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat([row, row]))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), framed.length - 4);
  return framed;
}

/** A hundredth of a second of silence, 8 bits, 8 kHz. */
export function wav() {
  const samples = Buffer.alloc(80, 128);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** A gzipped tar archive with one file, hello.txt. */
export function tarGz() {
  const content = Buffer.from('hello\n');
  const header = Buffer.alloc(512);
  header.write('hello.txt', 0, 'latin1');
  header.write('0000644\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('00000000000\0', 136, 'latin1');
  header.write('        0', 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const archive = Buffer.concat([header, content, Buffer.alloc(512 - content.length), Buffer.alloc(1024)]);
  return gzipSync(archive, { level: 9 });
}

/** All 256 byte values, four times. */
export function everyByte() {
  return Buffer.from(Array.from({ length: 1024 }, (_, index) => index & 0xff));
}

/** Bytes that look random and are the same for the same seed (xorshift). */
export function noise(length, seed) {
  const bytes = Buffer.alloc(length);
  let state = seed >>> 0 || 1;
  for (let index = 0; index < length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state & 0xff;
  }
  return bytes;
}

const WORDS =
  'burrow gopher hole menu selector capsule orbit probe lander crater relay antenna beacon signal archive'.split(' ');

/** A sentence of `count` words, chosen by `seed`. */
export function sentence(count, seed) {
  const picks = noise(count, seed);
  const words = Array.from(picks, (pick) => WORDS[pick % WORDS.length]);
  return `${words.join(' ')}.`;
}
