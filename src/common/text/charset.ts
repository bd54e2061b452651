/** Bytes to text and back. */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Text decoded from bytes. */
export interface DecodedText {
  readonly text: string;
  /** Name of the decoder used, lower case. */
  readonly charset: string;
  /** Whether some bytes had no meaning in that charset. */
  readonly lossy: boolean;
}

/** Decodes by the declared label, else UTF-8, else a guess. Never throws. */
export function decodeText(bytes: Buffer, label: string | null): DecodedText {
  const name = label?.trim().toLowerCase() ?? '';
  if (name !== '' && name !== 'utf-8' && name !== 'utf-7' && iconv.encodingExists(name)) {
    const text = iconv.decode(bytes, name);
    return { text, charset: name, lossy: text.includes('\ufffd') };
  }
  if (isUtf8(bytes)) return { text: iconv.decode(bytes, 'utf-8'), charset: 'utf-8', lossy: false };
  return { text: iconv.decode(bytes, 'windows-1252'), charset: 'windows-1252', lossy: false };
}

/** Encodes `text` in `charset`; null when it cannot be. */
export function encodeText(text: string, charset: string): Buffer | null {
  if (!iconv.encodingExists(charset)) return null;
  const bytes = iconv.encode(text, charset);
  return iconv.decode(bytes, charset) === text ? bytes : null;
}
