/**
 * Percent escapes (RFC 3986 section 2.1) between text and bytes.
 *
 * Decoding gives bytes, not text: what the bytes mean is the caller's to say. It never fails: an escape that is not `%`
 * and two hexadecimal digits stays as it stands, and `+` is a plus sign.
 */

/** The bytes `text` stands for: escapes as their byte, all other characters as UTF-8. */
export function percentDecodeToBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  let to = bytes.indexOf(PERCENT);
  if (to === -1) return bytes;
  for (let from = to; from < bytes.length; to++) {
    const byte = bytes[from] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[from + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[from + 2]);
    if (low === -1) {
      bytes[to] = byte;
      from += 1;
    } else {
      bytes[to] = high * 16 + low;
      from += 3;
    }
  }
  return bytes.subarray(0, to);
}

/**
 * `bytes` as text: a byte for which `keep` says true as its ASCII character, any other as `%` and two upper-case
 * hexadecimal digits. Bytes of 80 and above are always escaped.
 */
export function percentEncode(bytes: Uint8Array, keep: (byte: number) => boolean): string {
  let encoded = '';
  for (const byte of bytes) {
    encoded += byte < 0x80 && keep(byte) ? String.fromCharCode(byte) : (ESCAPES[byte] ?? '');
  }
  return encoded;
}

const PERCENT = 0x25;

const ESCAPES: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);

function hexDigit(unit: number | undefined): number {
  if (unit === undefined) return -1;
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
