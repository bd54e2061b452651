/**
 * windows-1252, the usual charset of 8-bit text and so the fallback for text without a label: ISO 8859-1 with typographic
 * characters in place of the C1 control codes. Kept apart from the charset library because it is needed often, the
 * library's tables are slow to load, and the runtime's own decoder reads it as ISO 8859-1 on some versions.
 *
 * Five bytes have no character; the Encoding Standard makes control codes of them, we U+FFFD, so that the loss shows.
 *
 * @see https://encoding.spec.whatwg.org/index-windows-1252.txt
 */

/** Decodes any bytes, one character for each. */
export function decodeWindows1252(bytes: Buffer): string {
  const firstC1 = bytes.findIndex(isC1);
  if (firstC1 === -1) return bytes.toString('latin1');
  const utf16 = Buffer.alloc(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    const unit = isC1(byte) ? C1_CHARACTERS.charCodeAt(byte - 0x80) : byte;
    utf16[i * 2] = unit;
    utf16[i * 2 + 1] = unit >> 8;
  }
  return utf16.toString('utf16le');
}

/** The bytes of `text`, or null when it holds a character that windows-1252 lacks. */
export function encodeWindows1252(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const byte = unit < 0x100 && !isC1(unit) ? unit : C1_BYTES.get(unit);
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  return bytes;
}

/** Bytes without a character. */
export const UNDEFINED_IN_WINDOWS_1252: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** The characters of the bytes 80..9F. */
const C1_CHARACTERS = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

const C1_BYTES: ReadonlyMap<number, number> = new Map(
  Array.from(C1_CHARACTERS, (character, i) => [character.charCodeAt(0), 0x80 + i] as const).filter(
    ([, byte]) => !UNDEFINED_IN_WINDOWS_1252.includes(byte),
  ),
);

function isC1(unit: number): boolean {
  return unit >= 0x80 && unit <= 0x9f;
}
