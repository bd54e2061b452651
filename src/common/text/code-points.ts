/**
 * Counting in Unicode code points, the unit of every text offset a caller sees.
 *
 * JavaScript strings count UTF-16 code units. A surrogate pair is one code point; a lone surrogate counts as one, as in
 * string iteration. Nothing here builds an array of characters.
 */

/** Code points in `text`: what `[...text].length` gives, in linear time and without allocation. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = firstHighSurrogate(text, 0); i !== -1; i = firstHighSurrogate(text, i)) {
    if (isLowSurrogate(text.charCodeAt(i + 1))) {
      count--;
      i += 2;
    } else i++;
  }
  return count;
}

/**
 * The code-unit index that lies `codePoints` code points after the index `fromUnit`, clamped to `text.length`.
 * `fromUnit` must not lie inside a surrogate pair. Zero or fewer code points give `fromUnit`.
 */
export function advanceCodePoints(text: string, fromUnit: number, codePoints: number): number {
  let unit = Math.min(fromUnit, text.length);
  for (let left = codePoints; left > 0 && unit < text.length; left--) {
    unit += isHighSurrogate(text.charCodeAt(unit)) && isLowSurrogate(text.charCodeAt(unit + 1)) ? 2 : 1;
  }
  return unit;
}

function firstHighSurrogate(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if (isHighSurrogate(text.charCodeAt(i))) return i;
  return -1;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
