/**
 * How the text of a variable is read. What is accepted here is accepted in every variable of that type, in the `.env` file and
 * in flags. Bounds are not judged here; text that is not of the type gives null.
 */

/** 1 true t yes y on / 0 false f no n off, in any case, with spaces around. */
export function parseBoolean(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

/** A decimal integer: spaces around, a sign, `1_000` and `300.0` are fine; `1.5`, `1e2` and `0x10` are not. */
export function parseInteger(text: string): number | null {
  const trimmed = text.trim();
  return INTEGER.test(trimmed) ? Number(withoutUnderscores(trimmed)) : null;
}

/** A decimal number, with an exponent or without; spaces around, a sign and `1_000` are fine; `nan` and `inf` are not. */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? Number(withoutUnderscores(trimmed)) : null;
}

/**
 * Entries separated by commas, or a JSON array of strings and numbers when the text starts with `[`. Entries are trimmed,
 * empty ones dropped. Text that starts with `[` and is not such an array is read as a comma list, so that `[::1]` is an
 * address; a misspelt array fails on its entries.
 */
export function parseList(text: string): string[] {
  const entries = (text.trimStart().startsWith('[') ? parseJsonList(text) : null) ?? text.split(',');
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** 32 bytes as 64 hexadecimal digits or in base64 (either alphabet, padded or not); spaces around. The result is hexadecimal. */
export function parseKey256(text: string): string | null {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return trimmed.toLowerCase();
  return /^[\w+/-]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64').toString('hex') : null;
}

/** Whether `text` says nothing. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

const INTEGER = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function withoutUnderscores(text: string): string {
  return text.replaceAll('_', '');
}

function parseJsonList(text: string): string[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const items: readonly unknown[] = value;
  const entries: string[] = [];
  for (const entry of items) {
    if (typeof entry !== 'string' && typeof entry !== 'number') return null;
    entries.push(String(entry));
  }
  return entries;
}
