/**
 * What a body is delivered as, decided from the declared media type and, where that says nothing, from the first bytes.
 *
 * Rules of this file:
 * - A usable declared type is believed; the content never overrides it. `application/octet-stream` says nothing.
 * - Without a usable type a known signature decides, else the body is gemtext, the default of the protocol.
 * - `text/*` is text, and so are the application types that are text for people: JSON, XML, feeds, SVG and their like.
 * - The operator's deny list is judged on the final type.
 */
import { failure, type Failure } from '../../common/error-codes.js';
import { sniffMediaType } from '../../common/mime-signatures.js';
import { GEMTEXT, parseMediaType, type DeclaredMedia, type MediaType } from './mime.js';

/** How a body is delivered: parsed lines, text as it stands, or metadata only. */
export type DeliveredAs = 'gemtext' | 'text' | 'binary';

/** The type of a body: the declared one, or what its first bytes say. */
export function finalMediaType(declared: DeclaredMedia, body: Buffer): MediaType {
  const { media } = declared;
  if (media !== null && !(isOctetStream(media) && body.length > 0)) return media;
  const sniffed = sniffMediaType(body);
  return (sniffed === null ? null : parseMediaType(sniffed)) ?? media ?? GEMTEXT;
}

/** How a body of this type is delivered. */
export function deliveredAs({ type, subtype }: MediaType): DeliveredAs {
  if (type === 'text') return subtype === 'gemini' ? 'gemtext' : 'text';
  const isText = TEXT_SUFFIX.test(subtype) || (type === 'application' && TEXT_APPLICATIONS.has(subtype));
  return isText ? 'text' : 'binary';
}

/**
 * CONTENT_FILTERED when the deny list names the type, exactly or as `type/*`; else null.
 *
 * @param denied lowercase entries
 */
export function refuseDenied({ type, subtype }: MediaType, denied: readonly string[]): Failure | null {
  const name = `${type}/${subtype}`;
  if (!denied.includes(name) && !denied.includes(`${type}/*`)) return null;
  return failure('CONTENT_FILTERED', `The operator of this server does not allow ${name} (GEMINI_DENIED_MIME_TYPES).`, {
    mimeType: name,
    mime_type: name,
    next_step: 'Tell the user; another request ends the same way.',
  });
}

/** Whether a header alone decides that the type is denied, so that the body need not be read. */
export function isDeniedAsDeclared({ media }: DeclaredMedia, denied: readonly string[]): boolean {
  return media !== null && !isOctetStream(media) && refuseDenied(media, denied) !== null;
}

function isOctetStream({ type, subtype }: MediaType): boolean {
  return type === 'application' && subtype === 'octet-stream';
}

/** Structured syntaxes that are text (RFC 6839, RFC 9512). */
const TEXT_SUFFIX = /\+(json|xml|yaml)$/;

const TEXT_APPLICATIONS: ReadonlySet<string> = new Set([
  'ecmascript',
  'javascript',
  'json',
  'jsonl',
  'json-seq',
  'ndjson',
  'sql',
  'toml',
  'x-javascript',
  'x-ndjson',
  'x-sh',
  'x-tex',
  'x-yaml',
  'xml',
  'xml-dtd',
  'yaml',
]);
