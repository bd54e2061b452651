/**
 * Counting in Unicode code points, the unit of every text offset a caller sees.
 *
 * JavaScript strings count UTF-16 code units. A surrogate pair is one code point; a lone surrogate counts as one, as in
 * string iteration. Text without surrogates, nearly all there is, costs one search; no array of characters is built.
 */

/** Code points in `text`: as many as string iteration gives, in linear time. */
export function countCodePoints(text: string): number {
  const first = text.search(HIGH_SURROGATE);
  if (first === -1) return text.length;
  let count = text.length;
  for (let i = first; i < text.length; i++) {
    if (isPairAt(text, i)) {
      count--;
      i++;
    }
  }
  return count;
}

/**
 * The code-unit index that lies `codePoints` code points after the index `fromUnit`, clamped to `text.length`.
 * `fromUnit` must not lie inside a surrogate pair. Zero or fewer code points give `fromUnit`.
 */
export function advanceCodePoints(text: string, fromUnit: number, codePoints: number): number {
  if (codePoints <= 0) return Math.min(fromUnit, text.length);
  // As far as that many code points reach when each is one unit.
  const plain = text.slice(fromUnit, fromUnit + codePoints);
  const first = plain.search(HIGH_SURROGATE);
  if (first === -1) return Math.min(fromUnit + codePoints, text.length);
  let unit = fromUnit + first;
  for (let left = codePoints - first; left > 0 && unit < text.length; left--) unit += isPairAt(text, unit) ? 2 : 1;
  return unit;
}

/** One character class: the search is linear, and ends at once in text that is stored one byte a unit. */
const HIGH_SURROGATE = /[\ud800-\udbff]/;

function isPairAt(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00;
}
