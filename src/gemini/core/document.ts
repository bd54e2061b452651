/**
 * A body as a document, from which any window can be rendered: decoded, sanitised and counted once.
 *
 * - Gemtext keeps its line breaks as they came, since offsets count them; other text gets LF throughout.
 * - The charset shown is the declared label where it names the decoder that was used, else the decoder's name.
 */
import { decodeText, type DecodedText } from '../../common/text/charset.js';
import { countCodePoints } from '../../common/text/code-points.js';
import { withLineFeeds } from '../../common/text/line-ends.js';
import { sanitizeText } from '../../common/text/sanitize.js';
import { deliveredAs } from './media.js';
import type { DeclaredMedia, MediaType } from './mime.js';

/** A media type with its parameters, as results show it. */
export type MimeType = MediaType & {
  readonly charset: string;
  readonly lang: string | null;
};

/** What every document has. */
interface Delivered {
  /** Memory it takes, in bytes. */
  readonly heldBytes: number;
  readonly mime: MimeType;
  /** Size of the body as received, in bytes. */
  readonly size: number;
}

/** A body of text: gemtext, or any other that people read as it stands. */
export interface ReadableDocument extends Delivered {
  readonly kind: 'gemtext' | 'text';
  /** Sanitised. */
  readonly text: string;
  /** Length of `text` in code points. */
  readonly totalChars: number;
  /** Whether some bytes had no meaning in the charset. */
  readonly lossy: boolean;
}

/** A body of which only metadata is shown. */
export interface BinaryDocument extends Delivered {
  readonly kind: 'binary';
}

/** What a Gemini server can serve. */
export type GeminiDocument = ReadableDocument | BinaryDocument;

/**
 * Decodes a body.
 *
 * @param media the final type
 * @param isPart the body stops before its end: a character that the cut parted is dropped
 */
export function decodeBody(media: MediaType, declared: DeclaredMedia, body: Buffer, isPart: boolean): GeminiDocument {
  const { charset: label, lang } = declared;
  const kind = deliveredAs(media);
  if (kind === 'binary') {
    const mime = { ...media, charset: label ?? DEFAULT_CHARSET, lang };
    return { kind, heldBytes: DOCUMENT_OVERHEAD, mime, size: body.length };
  }
  const mayBeUtf8 = label === null || UTF8_LABEL.test(label);
  const decoded = decodeText(isPart && mayBeUtf8 ? withoutPartialCharacter(body) : body, label);
  const clean = sanitizeText(decoded.text);
  const text = kind === 'gemtext' ? clean : withLineFeeds(clean);
  return {
    kind,
    heldBytes: DOCUMENT_OVERHEAD + text.length * (isAscii(decoded, body) ? 1 : 2),
    mime: { ...media, charset: shownCharset(label, decoded.charset), lang },
    size: body.length,
    text,
    totalChars: countCodePoints(text),
    lossy: decoded.lossy,
  };
}

function shownCharset(label: string | null, used: string): string {
  return label !== null && label.toLowerCase() === used.toLowerCase() ? label : used;
}

/** Takes off a UTF-8 sequence that the end of the body parted. */
function withoutPartialCharacter(body: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= body.length; back++) {
    const byte = body[body.length - back] ?? 0;
    if (byte < 0x80) return body;
    if (byte < 0xc0) continue;
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return back < needed ? body.subarray(0, -back) : body;
  }
  return body;
}

/** Whether a text is ASCII throughout, which the engine keeps with one byte a character. */
function isAscii({ charset, lossy, text }: DecodedText, body: Buffer): boolean {
  return charset === DEFAULT_CHARSET && !lossy && text.length === body.length;
}

const DEFAULT_CHARSET = 'utf-8';
const UTF8_LABEL = /^utf-?8$/i;
/** What a document takes beside its text, roughly. */
const DOCUMENT_OVERHEAD = 256;
