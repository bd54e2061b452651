/**
 * Where a terminal control sequence ends (ECMA-48), so that it can be removed whole.
 *
 * Sequences begin with ESC or with a C1 control that stands for ESC and one more character. What is removed is bounded,
 * because a page may hold a stray ESC as well as a forged one:
 *
 * - a control sequence (CSI) takes its parameters and one final character, at most {@link MAX_CONTROL_UNITS}; one that
 *   is cut short or broken takes what was read of it;
 * - a control string (OSC, DCS, SOS, PM, APC and the title string `ESC k`) goes with its terminator, provided that
 *   the terminator (BEL or ST) comes on the same line within {@link MAX_STRING_UNITS}; otherwise only its two-character
 *   introducer goes and the rest stays text, so that it can never swallow a page;
 * - any other escape is two characters, or more with intermediates (`ESC ( B`).
 *
 * A search stops at the next control character, so all searches together read no character more than twice.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/ sections 5.3 to 5.6
 */

/** Longest control sequence removed as one, in code units: far above any colour or cursor sequence in use. */
export const MAX_CONTROL_UNITS = 256;

/** Longest control string removed as one, in code units: a hyperlink with a long target, a window title, small graphics. */
export const MAX_STRING_UNITS = 4096;

/** The index just past the sequence that begins at `start`, where ESC or a C1 introducer stands. Always > `start`. */
export function escapeSequenceEnd(text: string, start: number): number {
  const unit = text.charCodeAt(start);
  // A C1 control is ESC and the character 40 hex below it (ECMA-48 section 5.3).
  const letter = unit === ESC ? text.charCodeAt(start + 1) : unit - 0x40;
  const body = unit === ESC ? start + 2 : start + 1;
  if (letter === CSI) return controlSequenceEnd(text, body);
  if (STRING_OPENERS.has(letter)) return controlStringEnd(text, body);
  return unit === ESC ? plainEscapeEnd(text, start + 1) : body;
}

const BEL = 0x07;
const ESC = 0x1b;
const BACKSLASH = 0x5c;
const ST = 0x9c;
const CSI = 0x5b;
/** P = DCS, X = SOS, ] = OSC, ^ = PM, _ = APC, and k, the title string of terminal multiplexers. */
const STRING_OPENERS: ReadonlySet<number> = new Set(Array.from('PX]^_k', (letter) => letter.charCodeAt(0)));

/** Parameters (30..3F) and intermediates (20..2F), then one final character (40..7E) if it is there. */
function controlSequenceEnd(text: string, body: number): number {
  const limit = body + MAX_CONTROL_UNITS;
  const intermediates = runEnd(text, body, limit, 0x30, 0x3f);
  const end = runEnd(text, intermediates, limit, 0x20, 0x2f);
  return end < limit && isWithin(text.charCodeAt(end), 0x40, 0x7e) ? end + 1 : end;
}

/** Past the terminator, or `body` when there is none. */
function controlStringEnd(text: string, body: number): number {
  const limit = body + MAX_STRING_UNITS;
  for (let i = body; i < text.length && i < limit; i++) {
    const unit = text.charCodeAt(i);
    if (unit === BEL || unit === ST) return i + 1;
    if (unit === ESC) return text.charCodeAt(i + 1) === BACKSLASH ? i + 2 : body;
    if (isControl(unit)) return body;
  }
  return body;
}

/** Intermediates (20..2F) and one final character (30..7E); ESC before anything else stands alone. */
function plainEscapeEnd(text: string, afterEsc: number): number {
  const limit = afterEsc + MAX_CONTROL_UNITS;
  const end = runEnd(text, afterEsc, limit, 0x20, 0x2f);
  return end < limit && isWithin(text.charCodeAt(end), 0x30, 0x7e) ? end + 1 : afterEsc;
}

/** Where the run of units in `first`..`last` that begins at `start` ends, `limit` at the latest. */
function runEnd(text: string, start: number, limit: number, first: number, last: number): number {
  let i = start;
  while (i < limit && isWithin(text.charCodeAt(i), first, last)) i++;
  return i;
}

/** False for NaN, what `charCodeAt` gives past the end. */
function isWithin(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

/** C0 or C1; TAB counts, for a control string has none. */
function isControl(unit: number): boolean {
  return unit < 0x20 || isWithin(unit, 0x7f, 0x9f);
}
