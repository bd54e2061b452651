/**
 * What the display sanitiser has to know about a UTF-16 code unit, as data.
 *
 * One byte per code unit, so that clean text is passed over with one table look-up per unit. The ranges follow the
 * general categories of Unicode: Cc, Cf, Co, Zl and Zp are dropped, everything else is kept, with these exceptions:
 *
 * - Cf characters with a shape of their own (Prepended_Concatenation_Mark: the Arabic number signs and their relatives)
 *   are kept, and so are ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER, which spelling and emoji need.
 * - Reserved code points that Unicode promises to be invisible (Default_Ignorable_Code_Point) are dropped like the
 *   format characters they may become: they would carry text that a model reads and a person cannot see.
 * - Variation selectors are kept or dropped by what stands before them.
 *
 * @see https://www.unicode.org/reports/tr44/#General_Category_Values
 * @see https://www.unicode.org/Public/UCD/latest/ucd/PropList.txt (Prepended_Concatenation_Mark)
 */

/** Kept wherever it stands. */
export const KEEP = 0;
/** TAB, LF, CR: kept in bodies, dropped in fields. */
export const LAYOUT = 1;
/** Always dropped. */
export const DROP = 2;
/** U+0008: resolved as overstrike in bodies, dropped in fields. */
export const BACKSPACE = 3;
/** ESC, or a C1 control that begins a longer control sequence. */
export const INTRODUCER = 4;
/** ZERO WIDTH NON-JOINER or JOINER: kept in short runs. */
export const JOINER = 5;
/** A variation selector of the Basic Multilingual Plane. */
export const SELECTOR = 6;
/** A high surrogate: {@link pairClass} decides when a low one follows; alone it is dropped. */
export const HIGH = 7;
/** A low surrogate, met only when it is alone. */
export const LOW = 8;
/** A variation selector of the supplement (U+E0100..E01EF), for ideographs; only {@link pairClass} gives it. */
export const SUPPLEMENT_SELECTOR = 9;

type Range = readonly [first: number, last: number];

/** Every code unit that is not plainly kept, once. */
const UNIT_RANGES: readonly (readonly [unitClass: number, ranges: readonly Range[]])[] = [
  [
    LAYOUT,
    [
      [0x09, 0x0a],
      [0x0d, 0x0d],
    ],
  ],
  [
    DROP,
    [
      [0x00, 0x07],
      [0x0b, 0x0c],
      [0x0e, 0x1a],
      [0x1c, 0x1f],
      [0x7f, 0x8f],
      [0x91, 0x97],
      [0x99, 0x9a],
      [0x9c, 0x9c],
      [0xad, 0xad],
      [0x061c, 0x061c],
      [0x180e, 0x180e],
      [0x200b, 0x200b],
      [0x200e, 0x200f],
      [0x2028, 0x202e],
      [0x2060, 0x206f],
      [0xe000, 0xf8ff],
      [0xfeff, 0xfeff],
      [0xfff0, 0xfffb],
    ],
  ],
  [BACKSPACE, [[0x08, 0x08]]],
  [
    INTRODUCER,
    [
      [0x1b, 0x1b],
      [0x90, 0x90],
      [0x98, 0x98],
      [0x9b, 0x9b],
      [0x9d, 0x9f],
    ],
  ],
  [JOINER, [[0x200c, 0x200d]]],
  [
    SELECTOR,
    [
      [0x180b, 0x180d],
      [0x180f, 0x180f],
      [0xfe00, 0xfe0f],
    ],
  ],
  [HIGH, [[0xd800, 0xdbff]]],
  [LOW, [[0xdc00, 0xdfff]]],
];

/** Finds the first code unit of a class above LAYOUT. One character class: a search is linear and needs no warming up. */
export const NOT_PLAIN_IN_BODY = anyOf(LAYOUT);
/** Finds the first code unit of a class above KEEP. */
export const NOT_PLAIN_IN_FIELD = anyOf(KEEP);

function anyOf(above: number): RegExp {
  const ranges = UNIT_RANGES.filter(([unitClass]) => unitClass > above).flatMap(([, listed]) => listed);
  return new RegExp(`[${ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}]`);
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

const UNIT_CLASSES = new Uint8Array(0x10000);
for (const [unitClass, ranges] of UNIT_RANGES) {
  for (const [first, last] of ranges) UNIT_CLASSES.fill(unitClass, first, last + 1);
}

/** Code points above the Basic Multilingual Plane that are not simply kept. Plane 14 holds tags and selectors only. */
const PAIR_RANGES: readonly (readonly [pairClass: number, range: Range])[] = [
  [DROP, [0x13430, 0x1343f]],
  [DROP, [0x1bca0, 0x1bca3]],
  [DROP, [0x1d173, 0x1d17a]],
  [SUPPLEMENT_SELECTOR, [0xe0100, 0xe01ef]],
  [DROP, [0xe0000, 0xe0fff]],
  [DROP, [0xf0000, 0xffffd]],
  [DROP, [0x100000, 0x10fffd]],
];

/** The high surrogates under which {@link PAIR_RANGES} has something: all other pairs are kept without a search. */
const LISTED_HIGHS = new Uint8Array(0x400);
for (const [, [first, last]] of PAIR_RANGES) {
  LISTED_HIGHS.fill(1, (first - 0x10000) >> 10, ((last - 0x10000) >> 10) + 1);
}

/** The class of a code unit; DROP for NaN, what `charCodeAt` gives past the end. */
export function unitClass(unit: number): number {
  // The mask keeps the index inside the table: one look-up outside would make all later ones slow.
  return UNIT_CLASSES[unit & 0xffff] ?? KEEP;
}

/** The class of the code point that a surrogate pair stands for: KEEP, DROP or SUPPLEMENT_SELECTOR. */
export function pairClass(high: number, low: number): number {
  if (LISTED_HIGHS[high & 0x3ff] === 0) return KEEP;
  const codePoint = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
  for (const [found, [first, last]] of PAIR_RANGES) if (codePoint >= first && codePoint <= last) return found;
  return KEEP;
}
