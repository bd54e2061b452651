/**
 * Bytes to text and back, never failing.
 *
 * Order of belief: a byte order mark; the declared label; UTF-8; UTF-8 with some damage; a guess by the bytes
 * (charset-guess.ts). A label is left behind when the bytes contradict it: UTF-8 that is none, UTF-16 over plain ASCII,
 * or more bytes without a meaning than characters beyond ASCII.
 *
 * UTF-8, UTF-16 and windows-1252, the fallback, are decoded here; the other charsets by iconv-lite, whose tables load at
 * the first use. The runtime's TextDecoder has the standard's labels but not always its tables (windows-1252 read as
 * ISO 8859-1, EUC-KR without its extension, Big5 with private-use characters), nor an encoder for the way back.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { byteOrderMark, guessEightBit, unmarkedUtf16 } from './charset-guess.js';
import { charsetNamed, isAsciiLabel } from './charset-labels.js';
import { decodeWindows1252, encodeWindows1252 } from './windows-1252.js';

/** Text decoded from bytes. */
export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  /** The declared label as it was given where it names the decoder used, else the decoder's name in lower case. */
  readonly charset: string;
  /** Whether some bytes had no meaning in that charset; they show as U+FFFD. */
  readonly lossy: boolean;
}

/**
 * Decodes `bytes` by the declared `label` (WHATWG labels, DOS code pages, UTF-32; null or unknown: none), else as UTF-8,
 * else by a guess. Total: any bytes and any label give a text. Linear time.
 */
export function decodeText(bytes: Buffer, label: string | null): DecodedText {
  const declared = label === null ? null : charsetNamed(label);
  const mark = byteOrderMark(bytes) ?? unmarkedUtf16(bytes);
  const charset = mark?.charset ?? (isContradicted(bytes, label, declared) ? null : declared);
  if (charset !== null) {
    const decoded = decodeAs(bytes.subarray(mark?.bytes ?? 0), charset);
    if (mark !== null || !decoded.lossy || (!isUtf8(bytes) && isMostlyIntact(decoded.text))) {
      return { ...decoded, charset: label !== null && charset === declared ? label.trim() : charset };
    }
  }
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), charset: 'utf-8', lossy: false };
  const damaged = bytes.toString('utf8');
  if (isMostlyIntact(damaged)) return { text: damaged, charset: 'utf-8', lossy: true };
  const guess = guessEightBit(bytes);
  return { ...decodeAs(bytes, guess), charset: guess };
}

/**
 * The bytes of `text` in `charset`, any label that {@link decodeText} takes or reports; the way back for a text it gave.
 * Null when the charset is unknown or cannot hold the text.
 */
export function encodeText(text: string, charset: string): Buffer | null {
  const name = charsetNamed(charset);
  switch (name) {
    case null:
    case 'iso-2022-jp': // decoded by the runtime, which has no encoder
      return null;
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return encodeWindows1252(text);
    default: {
      if (text.includes(REPLACEMENT)) return null;
      const bytes = iconv.encode(text, codecOf(name), { addBOM: false });
      // What the charset lacks comes out as a question mark.
      return decodeAs(bytes, name).text === text ? bytes : null;
    }
  }
}

const REPLACEMENT = '\ufffd';

/** Whether `bytes` cannot be what the label says they are. */
function isContradicted(bytes: Buffer, label: string | null, declared: string | null): boolean {
  if (label === null || declared === null) return false;
  if (declared === 'utf-8') return !isUtf8(bytes);
  if (isAsciiLabel(label)) return !isAscii(bytes);
  // In UTF-16 and UTF-32 real text has NULs, or bytes of 80 and above among its ideographs.
  return declared.startsWith('utf-') && isAscii(bytes) && !bytes.includes(0);
}

function decodeAs(bytes: Buffer, charset: string): { readonly text: string; readonly lossy: boolean } {
  if (charset === 'utf-8') return { text: bytes.toString('utf8'), lossy: !isUtf8(bytes) };
  const text = decodeLegacy(bytes, charset);
  return { text, lossy: text.includes(REPLACEMENT) };
}

function decodeLegacy(bytes: Buffer, charset: string): string {
  switch (charset) {
    case 'utf-16le':
    case 'utf-16be':
    case 'iso-2022-jp':
      return new TextDecoder(charset).decode(bytes);
    case 'windows-1252':
      return decodeWindows1252(bytes);
    default:
      return iconv.decode(bytes, codecOf(charset));
  }
}

/** iconv-lite's name of a charset, where it is not the standard's. */
function codecOf(charset: string): string {
  return charset === 'x-mac-cyrillic' ? 'macukraine' : charset;
}

/** Whether at least as many characters beyond ASCII were read as had to be replaced. */
function isMostlyIntact(text: string): boolean {
  let intact = 0;
  let replaced = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit === 0xfffd) replaced++;
    else if ((unit & 0xfc00) !== 0xdc00) intact++; // a pair counts once
  }
  return intact >= replaced;
}
