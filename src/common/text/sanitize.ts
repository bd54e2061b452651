/**
 * The display sanitiser: takes out of a server's text what a person would not see but a model would read, and what
 * would act on a terminal. Every character that reaches a result has passed through here.
 *
 * - Control, format, surrogate, private-use and separator characters go (unit-class.ts has the list and its exceptions).
 * - Terminal control sequences go whole, not only their first character (escape-sequence.ts).
 * - A variation selector stays after a character it can vary, a selector of the supplement after an ideograph; further
 *   ones go, for a run of them hides arbitrary bytes. So do joiners beyond three in a row, the longest run that
 *   a script needs (Arabic: joiner, non-joiner, joiner).
 * - In bodies, backspace overstrike reads as the plain character: bold `N\bN` and underlined `_\bN` are `N`. In fields
 *   a backspace is dropped like any control: a host or a selector must not take back what it said.
 *
 * What stands before a character is judged on the output, so that nothing hides behind a removed character and
 * sanitising twice changes nothing. Clean text is found so by one search and returned as it is; otherwise the kept
 * runs are sliced and joined once. Time is linear.
 */
import { escapeSequenceEnd } from './escape-sequence.js';
import { KeptText } from './kept-text.js';
import {
  BACKSPACE,
  HIGH,
  INTRODUCER,
  JOINER,
  KEEP,
  LAYOUT,
  LOW,
  NOT_PLAIN_IN_BODY,
  NOT_PLAIN_IN_FIELD,
  pairClass,
  SELECTOR,
  SUPPLEMENT_SELECTOR,
  unitClass,
} from './unit-class.js';

/** Sanitises a body: line breaks (LF, CR) and TAB stay, overstrike is resolved. */
export function sanitizeText(text: string): string {
  const first = text.search(NOT_PLAIN_IN_BODY);
  return first === -1 ? text : sanitize(text, first, LAYOUT);
}

/** Sanitises a single-line field (title, selector, host, prompt, meta, link part): LF, CR and TAB go as well. */
export function sanitizeField(text: string): string {
  const first = text.search(NOT_PLAIN_IN_FIELD);
  return first === -1 ? text : sanitize(text, first, KEEP);
}

/** Whether `text` holds something that a field must not hold: whether {@link sanitizeField} would change it. */
export function hasDroppable(text: string): boolean {
  return sanitizeField(text) !== text;
}

/**
 * @param first index of the first code unit that needs a look
 * @param keptUpTo the greatest class that needs none: LAYOUT for bodies, KEEP for fields
 */
function sanitize(text: string, first: number, keptUpTo: number): string {
  const kept = new KeptText(text);
  for (let i = first; i < text.length; i = plainEnd(text, i, keptUpTo)) {
    const found = unitClass(text.charCodeAt(i));
    const length = keptLength(text, i, found, kept);
    if (length > 0) i += length;
    else if (found === BACKSPACE && keptUpTo === LAYOUT) i = resolveOverstrike(text, i, kept);
    else {
      const end = removedEnd(text, i, found);
      kept.remove(i, end);
      i = end;
    }
  }
  return kept.toString();
}

/** Where the run that begins at `start` and needs no look ends. */
function plainEnd(text: string, start: number, keptUpTo: number): number {
  let i = start;
  while (i < text.length && unitClass(text.charCodeAt(i)) <= keptUpTo) i++;
  return i;
}

/** How many code units at `i` stay: 0, 1, or 2 for a surrogate pair. */
function keptLength(text: string, i: number, found: number, kept: KeptText): number {
  switch (found) {
    case HIGH: {
      const low = text.charCodeAt(i + 1);
      if (unitClass(low) !== LOW) return 0;
      const pair = pairClass(text.charCodeAt(i), low);
      return pair === KEEP || (pair === SUPPLEMENT_SELECTOR && isIdeographBefore(i, kept)) ? 2 : 0;
    }
    case SELECTOR:
      return isBaseBefore(i, kept) ? 1 : 0;
    case JOINER:
      return isJoinerRunBefore(i, kept) ? 0 : 1;
    default:
      return 0;
  }
}

/** Where what begins at `i` and is taken out ends. */
function removedEnd(text: string, i: number, found: number): number {
  if (found === INTRODUCER) return escapeSequenceEnd(text, i);
  return found === HIGH && unitClass(text.charCodeAt(i + 1)) === LOW ? i + 2 : i + 1;
}

/** Whether the last kept character is one that a variation selector can vary. */
function isBaseBefore(i: number, kept: KeptText): boolean {
  const unit = kept.unitBefore(i, 1);
  const found = unitClass(unit);
  if (found === KEEP) return unit > SPACE && unit !== NO_BREAK_SPACE;
  return found === LOW && kept.unitBefore(i, 2) !== SUPPLEMENT_SELECTOR_HIGH;
}

/** Whether the last kept character is a CJK ideograph: only those have registered sequences with the supplement. */
function isIdeographBefore(i: number, kept: KeptText): boolean {
  const unit = kept.unitBefore(i, 1);
  if (unitClass(unit) === LOW) {
    const high = kept.unitBefore(i, 2);
    return high >= 0xd840 && high <= 0xd8bf; // planes 2 and 3
  }
  return (unit >= 0x3400 && unit <= 0x4dbf) || (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0xf900 && unit <= 0xfaff);
}

/** Whether what is kept ends in as many joiners as may stand in a row. */
function isJoinerRunBefore(i: number, kept: KeptText): boolean {
  for (let back = 1; back <= MAX_JOINER_RUN; back++) {
    if (unitClass(kept.unitBefore(i, back)) !== JOINER) return false;
  }
  return true;
}

/**
 * Resolves the run of backspaces at `i`; the index where reading goes on. A run is overstrike when as many printing
 * characters follow it: they replace those before it on the line, or, when they are underscores, only underline
 * them. Any other run is dropped.
 */
function resolveOverstrike(text: string, i: number, kept: KeptText): number {
  let after = i;
  while (unitClass(text.charCodeAt(after)) === BACKSPACE) after++;
  const count = after - i;
  let printing = 0;
  let underscores = 0;
  while (printing < count && isPrinting(text.charCodeAt(after + printing))) {
    if (text.charCodeAt(after + printing) === UNDERSCORE) underscores++;
    printing++;
  }
  if (printing < count) {
    kept.remove(i, after);
    return after;
  }
  const end = underscores === count && isPrinting(kept.unitBefore(i, 1)) ? after + count : after;
  kept.remove(i, end);
  if (end === after) for (let left = count; left > 0 && dropPrinting(after, kept); left--);
  return end;
}

/** Takes the last kept character out, unless it ends a line or there is none. */
function dropPrinting(i: number, kept: KeptText): boolean {
  const unit = kept.unitBefore(i, 1);
  if (unit === 0 || unitClass(unit) === LAYOUT) return false;
  kept.dropLast(unitClass(unit) === LOW ? 2 : 1);
  return true;
}

function isPrinting(unit: number): boolean {
  const found = unitClass(unit);
  return unit >= SPACE && (found === KEEP || found === HIGH || found === LOW);
}

const SPACE = 0x20;
const UNDERSCORE = 0x5f;
const NO_BREAK_SPACE = 0xa0;
/** High surrogate of U+E0100..E01EF: the only one of plane 14 that can be kept. */
const SUPPLEMENT_SELECTOR_HIGH = 0xdb40;

/** Joiners that may stand in a row. */
const MAX_JOINER_RUN = 3;
