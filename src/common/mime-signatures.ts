/**
 * Media types by content: the first bytes of formats that are common on the small web.
 *
 * The order is the order of the table; the first match wins. A signature is a proof, not a guess: what matches none
 * gives null, and the caller decides what an unknown body is.
 */

/** The media type whose signature `bytes` begin with, or null. Looks at no more than the headers of the formats. */
export function sniffMediaType(bytes: Uint8Array): string | null {
  for (const { type, matches } of SIGNATURES) if (matches(bytes)) return type;
  return null;
}

interface Signature {
  readonly type: string;
  readonly matches: (bytes: Uint8Array) => boolean;
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', matches: (b) => startsWith(b, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: (b) => startsWith(b, '\xff\xd8\xff') },
  { type: 'image/gif', matches: (b) => startsWith(b, 'GIF87a') || startsWith(b, 'GIF89a') },
  { type: 'image/webp', matches: (b) => startsWith(b, 'RIFF') && startsWith(b, 'WEBP', 8) },
  // "BM" alone begins many texts: the four reserved bytes of the header must be zero as well.
  { type: 'image/bmp', matches: (b) => b.length >= 14 && startsWith(b, 'BM') && startsWith(b, '\0\0\0\0', 6) },
  { type: 'application/pdf', matches: (b) => startsWith(b, '%PDF') },
  { type: 'application/zip', matches: (b) => startsWith(b, 'PK\x03\x04') || startsWith(b, 'PK\x05\x06') },
  { type: 'audio/mpeg', matches: isMpegAudio },
  { type: 'audio/ogg', matches: (b) => startsWith(b, 'OggS') },
  { type: 'audio/wav', matches: (b) => startsWith(b, 'RIFF') && startsWith(b, 'WAVE', 8) },
  { type: 'video/mp4', matches: (b) => b.length >= 12 && startsWith(b, 'ftyp', 4) },
  { type: 'application/gzip', matches: (b) => startsWith(b, '\x1f\x8b') },
  { type: 'application/x-7z-compressed', matches: (b) => startsWith(b, "7z\xbc\xaf'\x1c") },
  { type: 'application/x-msdownload', matches: isPortableExecutable },
  { type: 'application/x-executable', matches: (b) => startsWith(b, '\x7fELF') },
];

/** Whether the bytes at `offset` are the Latin-1 codes of `signature`. */
function startsWith(bytes: Uint8Array, signature: string, offset = 0): boolean {
  for (let i = 0; i < signature.length; i++) {
    if (bytes[offset + i] !== signature.charCodeAt(i)) return false;
  }
  return true;
}

/** An ID3v2 tag (version 2 to 4, a valid revision, a syncsafe size) or an MPEG layer III frame without CRC or with. */
function isMpegAudio(bytes: Uint8Array): boolean {
  if (startsWith(bytes, 'ID3')) {
    if (bytes.length < 10) return false;
    const version = bytes[3] ?? 0;
    if (version < 2 || version > 4 || bytes[4] === 0xff) return false;
    return bytes.subarray(6, 10).every((byte) => byte < 0x80);
  }
  return startsWith(bytes, '\xff\xfb') || startsWith(bytes, '\xff\xf3') || startsWith(bytes, '\xff\xf2');
}

/** "MZ" and, at the little-endian offset stored at 3C, "PE" and two zero bytes. */
function isPortableExecutable(bytes: Uint8Array): boolean {
  if (bytes.length < 64 || !startsWith(bytes, 'MZ')) return false;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0x3c, true);
  return startsWith(bytes, 'PE\0\0', header);
}
