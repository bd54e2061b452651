/** One kind of line end. */

/**
 * `text` with every CRLF and every lone CR as LF. Linear, with a small constant however many there are: the runtime's own
 * replacing costs a hundred nanoseconds a match, which a long text of nothing else would turn into a standstill.
 */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r')) return text;
  if (text.length <= SHORT_TEXT) return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  // Text that the engine keeps with one byte a character shall stay so.
  if (!BEYOND_ONE_BYTE.test(text)) {
    const bytes = Buffer.from(text, 'latin1');
    return bytes.toString('latin1', 0, foldInPlace(bytes));
  }
  const bytes = Buffer.from(text, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  return bytes.toString('utf16le', 0, foldInPlace(units) * 2);
}

/** Folds the line ends; how many units are left. */
function foldInPlace(units: Uint8Array | Uint16Array): number {
  let to = units.indexOf(CR);
  for (let from = to; from < units.length; from++) {
    const unit = units[from] ?? 0;
    units[to++] = unit === CR ? LF : unit;
    if (unit === CR && units[from + 1] === LF) from++;
  }
  return to;
}

const CR = 0x0d;
const LF = 0x0a;
/** Code units up to which the runtime's replacing is fast enough. */
const SHORT_TEXT = 1 << 18;
const BEYOND_ONE_BYTE = /[^\0-\xff]/;
