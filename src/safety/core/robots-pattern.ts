/**
 * One path rule of a robots.txt, and whether a path falls under it.
 *
 * Rules and paths are compared byte by byte, as RFC 9309 section 2.2.2 says: text enters as the bytes of its UTF-8, one
 * character each («byte text» below), so that an escape and the character it stands for can meet. A rule is tried as
 * written and with its escapes decoded. `*` and `$` count only where they are written plainly, not as an escape.
 *
 * Matching takes time linear in the lengths of rule and path: each part between stars is looked for once, from where the
 * one before ended, and the search itself never goes back (Knuth, Morris and Pratt) where the part is long enough for
 * going back to matter.
 */
import { percentDecodeToBytes } from '../../common/text/percent.js';

/** A rule, cut at its stars. Plain data. */
export interface RobotsPattern {
  /** Byte text. The first part starts the path, the others follow in order; never empty. */
  readonly parts: readonly string[];
  /** Whether the last part ends the path (a final `$`). */
  readonly anchored: boolean;
}

/** Parts up to this length are left to the engine's own search, whose worst case grows with the part. */
const SHORT_PART = 8;

/** What makes a rule more than one plain part. */
const SPECIAL = /[*%]/;

/** The patterns `rule` stands for: as written, and decoded where that makes a difference. */
export function parseRule(rule: string): readonly RobotsPattern[] {
  const anchored = rule.endsWith('$');
  // Nearly every rule: nothing in it has a meaning.
  if (!anchored && !SPECIAL.test(rule)) return [{ parts: [byteText(rule)], anchored }];
  const parts = (anchored ? rule.slice(0, -1) : rule).split('*');
  // Between two stars, nothing is as good as no part at all; the first and the last one say where path starts and ends.
  const telling = parts.filter((part, index) => part !== '' || index === 0 || (anchored && index === parts.length - 1));
  const written = { parts: telling.map(byteText), anchored };
  return rule.includes('%') ? [written, { parts: telling.map(decodedByteText), anchored }] : [written];
}

/** The bytes of `text` in UTF-8, one character each. Always a copy: a kept rule must not keep the whole file in memory. */
export function byteText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** As {@link byteText}, with escapes decoded. */
export function decodedByteText(text: string): string {
  return percentDecodeToBytes(text).toString('latin1');
}

/** Characters that {@link matches} looks at, at most; an upper bound of its cost. */
export function matchCost({ parts }: RobotsPattern, path: string): number {
  return parts.length === 1 ? 1 : parts.reduce((sum, part) => sum + part.length, path.length);
}

/** Whether `path`, byte text, falls under `pattern`. */
export function matches({ parts, anchored }: RobotsPattern, path: string): boolean {
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !anchored || path.length === first.length;
  const last = anchored ? (rest.pop() ?? '') : '';
  const end = path.length - last.length;
  if (end < first.length || !path.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = part.length <= SHORT_PART ? path.indexOf(part, at) : indexOfLong(path, part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** `text.indexOf(part, from)` in time linear in both. */
function indexOfLong(text: string, part: string, from: number): number {
  if (text.length - from < part.length) return -1;
  const borders = borderTable(part);
  let matched = 0;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched++;
    if (matched === part.length) return i + 1 - matched;
  }
  return -1;
}

/** For each prefix of `part`, the length of its longest proper prefix that also ends it. */
function borderTable(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let i = 1; i < part.length; i++) {
    const unit = part.charCodeAt(i);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === unit) length++;
    borders[i] = length;
  }
  return borders;
}
