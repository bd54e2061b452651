/**
 * A body as a document, from which any window can be rendered.
 *
 * The item type says how to read the answer, with two exceptions that only the content can tell: what was announced as
 * text or menu but is a binary format is binary, and a file request that is answered by a lone error line has failed.
 * A menu request that is answered by prose stays a menu, of text lines.
 */
import { failure, type Failure } from '../../common/error-codes.js';
import { sniffMediaType } from '../../common/mime-signatures.js';
import { err, ok, type Result } from '../../common/result.js';
import { decodeText, type DecodedText } from '../../common/text/charset.js';
import { countCodePoints } from '../../common/text/code-points.js';
import { sanitizeField } from '../../common/text/sanitize.js';
import { loneErrorLine, MAX_ERROR_BYTES } from './error-line.js';
import { categoryOf } from './item-types.js';
import { isProse, type MenuSource } from './menu.js';
import { readableText } from './text.js';
import { isTlsAlert } from './tls-alert.js';

/** A menu; its lines become items when a window is rendered. */
export interface MenuDocument {
  readonly kind: 'menu';
  /** Memory it takes. */
  readonly heldBytes: number;
  /** Size of the body as received. */
  readonly bytes: number;
  readonly source: MenuSource;
}

/** A text, ready to be cut. */
export interface TextDocument {
  readonly kind: 'text';
  readonly heldBytes: number;
  readonly bytes: number;
  readonly charset: string;
  /** Whether some bytes had no meaning in the charset. */
  readonly lossy: boolean;
  readonly text: string;
  /** Length of `text` in code points. */
  readonly totalChars: number;
}

/** A body of which only metadata is shown. */
export interface BinaryDocument {
  readonly kind: 'binary';
  readonly heldBytes: number;
  readonly bytes: number;
  readonly mimeType: string;
  /** Whether the item type promised something to read. */
  readonly unexpected: boolean;
}

/** What a Gopher server can serve. */
export type GopherDocument = MenuDocument | TextDocument | BinaryDocument;

/**
 * Decodes the answer to a request of `type`. `incomplete` bodies lose the character or menu line that they were cut in.
 * Returns GOPHER_ERROR, with the server's words as `meta`, when a file request was answered by a lone error line, and FETCH_ERROR,
 * reason `malformed`, when a TLS server answered.
 *
 * @param host named in the message
 */
export function decodeBody(
  type: string,
  body: Buffer,
  incomplete: boolean,
  host: string,
): Result<GopherDocument, Failure> {
  if (isTlsAlert(body)) return err(tlsInstead(host));
  const category = categoryOf(type);
  if (category !== 'menu') {
    const words = errorWords(body);
    if (words !== null) return err(gopherError(host, words));
  }
  const mimeType = sniffMediaType(body);
  if (category === 'binary') return ok(binaryDocument(body, mimeType ?? 'application/octet-stream', false));
  if (mimeType !== null && holdsBinaryControl(body)) return ok(binaryDocument(body, mimeType, true));
  return ok(category === 'menu' ? menuDocument(body, incomplete) : textDocument(body, incomplete));
}

function menuDocument(body: Buffer, incomplete: boolean): MenuDocument {
  const whole = incomplete ? body.subarray(0, Math.max(body.lastIndexOf(LF), body.lastIndexOf(CR)) + 1) : body;
  const decoded = decodeText(whole, null);
  const { charset, lossy } = decoded;
  const bytewise = charset === 'utf-8' && lossy;
  const text = bytewise ? withoutMark(whole).toString('latin1') : decoded.text;
  return {
    kind: 'menu',
    heldBytes: heldBytes(text, bytewise || isAscii(decoded, whole)),
    bytes: body.length,
    source: { text, charset, lossy, bytewise, prose: isProse(text) },
  };
}

function textDocument(body: Buffer, incomplete: boolean): TextDocument {
  const whole = incomplete ? withoutPartialCharacter(body) : body;
  const decoded = decodeText(whole, null);
  const ascii = isAscii(decoded, whole);
  const text = readableText(decoded.text);
  return {
    kind: 'text',
    heldBytes: heldBytes(text, ascii),
    bytes: body.length,
    charset: decoded.charset,
    lossy: decoded.lossy,
    text,
    totalChars: ascii ? text.length : countCodePoints(text),
  };
}

function binaryDocument(body: Buffer, mimeType: string, unexpected: boolean): BinaryDocument {
  return { kind: 'binary', heldBytes: heldBytes('', true), bytes: body.length, mimeType, unexpected };
}

function errorWords(body: Buffer): string | null {
  if (body[0] !== THREE || body.length > MAX_ERROR_BYTES) return null;
  const line = loneErrorLine(decodeText(body, null).text);
  return line === null ? null : sanitizeField(line);
}

function tlsInstead(host: string): Failure {
  return failure('FETCH_ERROR', `${host} speaks TLS at this port, not Gopher.`, {
    reason: 'malformed',
    next_step: 'Check the port; a Gemini server there is read with gemini_fetch and a gemini:// URL.',
  });
}

function gopherError(host: string, words: string): Failure {
  return failure('GOPHER_ERROR', `${host} answered with an error in place of the file.`, {
    meta: words,
    next_step: "Look for the item in the server's menus; its selector may have changed.",
  });
}

/**
 * Whether a body that has the signature of a binary format holds, near its start, a control byte that text does not have:
 * a page about GIF89a may begin with that very word. White space, backspace, escape, the shifts of 7-bit charsets and
 * the end mark of DOS files are text.
 */
function holdsBinaryControl(body: Buffer): boolean {
  const end = Math.min(body.length, SIGNATURE_WINDOW);
  for (let i = 0; i < end; i++) {
    const byte = body[i] ?? 0;
    if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) return true;
  }
  return false;
}

function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? body.subarray(UTF8_MARK.length) : body;
}

/** Takes off a UTF-8 sequence that the end of the body cut. */
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
  return charset === 'utf-8' && !lossy && text.length === body.length;
}

function heldBytes(text: string, oneByte: boolean): number {
  return DOCUMENT_OVERHEAD + (oneByte ? text.length : text.length * 2);
}

const LF = 0x0a;
const CR = 0x0d;
const THREE = 0x33;
const UTF8_MARK = Buffer.from('\ufeff');
const SIGNATURE_WINDOW = 512;
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x1a, 0x1b]);
/** What a document takes beside its text, roughly. */
const DOCUMENT_OVERHEAD = 256;
