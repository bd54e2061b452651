/**
 * The media type in the header of a 2x answer.
 *
 * Rules of this file:
 * - Only `charset` and `lang` are read; a broken parameter never costs the type, nor a broken type the parameters.
 * - Names are case-insensitive, values may stand in quotes, an empty value counts as absent, the last one of a name wins.
 * - A semicolon in a double-quoted value belongs to the value (RFC 2045 section 5.1). A quote that is not closed quotes
 *   nothing. Single quotes are taken off too, since they are used, but they protect nothing.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (Success)
 * @see https://www.rfc-editor.org/rfc/rfc2045#section-5.1
 */
import { sanitizeField } from '../../common/text/sanitize.js';

/** A media type, as results show it. */
export type MediaType = {
  /** Lowercase. */
  readonly type: string;
  /** Lowercase. */
  readonly subtype: string;
};

/** What the field of a 2x header says. */
export interface DeclaredMedia {
  /** Null when the field names no usable type; blank means `text/gemini`. */
  readonly media: MediaType | null;
  /** The charset label as declared, without invisible characters; null without one. */
  readonly charset: string | null;
  /** Language tags, comma-separated without blanks; null without any, or when one of them is malformed. */
  readonly lang: string | null;
}

/** What a blank field stands for. */
export const GEMTEXT: MediaType = { type: 'text', subtype: 'gemini' };

/** Reads the field of a 2x header. Total: every text means something. */
export function parseMime(meta: string): DeclaredMedia {
  const [type = '', ...parameters] = splitParameters(meta);
  let charset: string | null = null;
  let lang: string | null = null;
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const value = unquoted(parameter.slice(equals + 1).trim());
    if (value === '') continue;
    const name = parameter.slice(0, equals).trim().toLowerCase();
    if (name === 'charset') charset = sanitizeField(value).trim() || null;
    else if (name === 'lang') lang = languageTags(value);
  }
  return { media: meta.trim() === '' ? GEMTEXT : parseMediaType(type), charset, lang };
}

/** A `type/subtype`, blanks around either let pass; null for anything else. */
export function parseMediaType(text: string): MediaType | null {
  const [type = '', subtype = '', ...more] = text.split('/', 3).map((part) => part.trim().toLowerCase());
  return more.length === 0 && TOKEN.test(type) && TOKEN.test(subtype) ? { type, subtype } : null;
}

/** Cuts at the semicolons that do not stand inside a double-quoted value. */
function splitParameters(meta: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let i = 0; i < meta.length; i++) {
    const unit = meta.charCodeAt(i);
    if (unit === SEMICOLON) {
      parts.push(meta.slice(start, i));
      start = i + 1;
    } else if (unit === QUOTE && meta.slice(start, i).trimEnd().endsWith('=')) {
      i = Math.max(i, closingQuote(meta, i));
    }
  }
  parts.push(meta.slice(start));
  return parts;
}

/** Index of the quote that closes the one at `open`; -1 when none does. A backslash keeps the next character from it. */
function closingQuote(meta: string, open: number): number {
  for (let i = open + 1; i < meta.length; i++) {
    const unit = meta.charCodeAt(i);
    if (unit === QUOTE) return i;
    if (unit === BACKSLASH) i++;
  }
  return -1;
}

function unquoted(value: string): string {
  const first = value.charAt(0);
  const inQuotes = value.length > 1 && (first === '"' || first === "'") && value.endsWith(first);
  return inQuotes ? value.slice(1, -1).trim() : value;
}

/** BCP 47 tags, separated by commas; letters, digits and hyphens are all that is checked. */
function languageTags(value: string): string | null {
  const tags = value.split(',').map((tag) => tag.trim());
  return tags.every((tag) => LANGUAGE.test(tag)) ? tags.join(',') : null;
}

/** RFC 2045 section 5.1: any visible ASCII but the specials. */
const TOKEN = /^[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]+$/;
const LANGUAGE = /^[A-Za-z0-9-]+$/;
const QUOTE = 0x22;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
