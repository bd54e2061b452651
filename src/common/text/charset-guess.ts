/**
 * Which charset bytes are in that carry no label, or a false one. Each function reads the bytes once.
 *
 * Gopher declares no charset at all: UTF-8 comes first, then what old machines wrote. Only evidence that ordinary text
 * cannot give by chance leads away from windows-1252, the usual charset of 8-bit text.
 */
import { UNDEFINED_IN_WINDOWS_1252 } from './windows-1252.js';

/** A charset that the bytes themselves name. */
export interface CharsetMark {
  readonly charset: string;
  /** Length of the mark at the head of the bytes, 0 without one. */
  readonly bytes: number;
}

/** The byte order mark that `bytes` begin with, or null. */
export function byteOrderMark(bytes: Uint8Array): CharsetMark | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { charset: 'utf-8', bytes: 3 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { charset: 'utf-32be', bytes: 4 };
  if (a === 0xff && b === 0xfe) {
    // FF FE 00 00 is also UTF-16 that begins with NUL, which no text does.
    return c === 0 && d === 0 ? { charset: 'utf-32le', bytes: 4 } : { charset: 'utf-16le', bytes: 2 };
  }
  return a === 0xfe && b === 0xff ? { charset: 'utf-16be', bytes: 2 } : null;
}

/**
 * UTF-16 without a mark, or null when the bytes are not unmistakably that: an even number of them, NULs in one half of
 * at least every second code unit, and none in the other half.
 */
export function unmarkedUtf16(bytes: Uint8Array): CharsetMark | null {
  const units = bytes.length / 2;
  if (!Number.isInteger(units) || units < MIN_UTF16_UNITS || !bytes.includes(0)) return null;
  let evenNuls = 0;
  let oddNuls = 0;
  for (let i = 0; i < bytes.length; i += 2) {
    if (bytes[i] === 0) evenNuls++;
    if (bytes[i + 1] === 0) oddNuls++;
    if (evenNuls > 0 && oddNuls > 0) return null;
  }
  if (Math.max(evenNuls, oddNuls) * 2 < units) return null;
  return { charset: oddNuls > 0 ? 'utf-16le' : 'utf-16be', bytes: 0 };
}

/**
 * `cp437` for DOS text, else `windows-1252`. The signs of DOS text are
 *
 * - line art: most bytes of 80 and above are box drawing, blocks or shades (B0..DF), many of them side by side in a way
 *   that words do not have: repeated, or next to one of B0..BF, which are no letters in windows-1252;
 * - DOS letters: bytes that windows-1252 leaves undefined (81 is u umlaut in CP437), and more bytes among the DOS
 *   letters (80..A5) than among the letters of windows-1252 (C0..FF).
 */
export function guessEightBit(bytes: Uint8Array): 'cp437' | 'windows-1252' {
  const counts = new Uint32Array(256);
  let artPairs = 0;
  let previous = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    counts[byte] = (counts[byte] ?? 0) + 1;
    if (isArt(byte) && isArt(previous) && (byte === previous || Math.min(byte, previous) < 0xc0)) artPairs++;
    previous = byte;
  }
  const sum = (first: number, last: number): number => counts.subarray(first, last + 1).reduce((a, b) => a + b, 0);

  const art = sum(ART_FIRST, ART_LAST);
  const isLineArt = artPairs > 0 && artPairs * 8 >= art && art * 4 >= sum(0x80, 0xff) * 3;
  const isDosText = UNDEFINED_IN_WINDOWS_1252.some((byte) => sum(byte, byte) > 0) && sum(0x80, 0xa5) > sum(0xc0, 0xff);
  return isLineArt || isDosText ? 'cp437' : 'windows-1252';
}

/** Box drawing, blocks and shades in CP437. */
const ART_FIRST = 0xb0;
const ART_LAST = 0xdf;

function isArt(byte: number): boolean {
  return byte >= ART_FIRST && byte <= ART_LAST;
}

/** Fewer code units prove nothing. */
const MIN_UTF16_UNITS = 4;
