/** A value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object; `undefined` members are left out when it is written. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** Whether `value`, as JSON.parse gave it, is an object: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Bytes that `text` takes as a JSON string in UTF-8, quotes included: what `Buffer.byteLength(JSON.stringify(text))` gives,
 * without building the string. Lone surrogates count as the six-byte escapes that JSON.stringify writes.
 */
export function jsonStringBytes(text: string): number {
  let bytes = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isPlain(unit)) continue;
    if (isSurrogatePair(text, i)) {
      bytes += 2;
      i++;
    } else bytes += unitBytes(unit) - 1;
  }
  return bytes;
}

/**
 * End (code-unit index, at most `toUnit`) of the longest run from `fromUnit` that takes at most `maxBytes` inside a JSON
 * string in UTF-8, quotes not counted. A surrogate pair is never cut; neither bound may lie inside one.
 */
export function jsonStringFit(text: string, fromUnit: number, toUnit: number, maxBytes: number): number {
  let left = maxBytes;
  let i = fromUnit;
  while (i < toUnit) {
    const unit = text.charCodeAt(i);
    const isPair = !isPlain(unit) && isSurrogatePair(text, i);
    left -= isPair ? 4 : unitBytes(unit);
    if (left < 0) break;
    i += isPair ? 2 : 1;
  }
  return i;
}

/** Whether a code unit is ASCII and stands for itself in a JSON string: what nearly all text consists of. */
function isPlain(unit: number): boolean {
  return unit >= 0x20 && unit < 0x80 && unit !== QUOTE && unit !== BACKSLASH;
}

/** What one code unit takes in a JSON string when it is not part of a surrogate pair. */
function unitBytes(unit: number): number {
  if (isPlain(unit)) return 1;
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6;
  if (unit < 0x80) return 2;
  if (unit < 0x800) return 2;
  return unit < 0xd800 || unit > 0xdfff ? 3 : 6;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Controls that JSON.stringify writes as two characters: \b \t \n \f \r. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

function isSurrogatePair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}
