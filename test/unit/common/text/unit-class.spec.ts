import { expect, test } from '@jest/globals';
import {
  DROP,
  KEEP,
  NOT_PLAIN_IN_BODY,
  NOT_PLAIN_IN_FIELD,
  pairClass,
  SUPPLEMENT_SELECTOR,
  unitClass,
  LAYOUT,
} from '../../../../src/common/text/unit-class.js';

const CONTROL = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]$/u;
const RESERVED_INVISIBLE = /^(?=\p{Default_Ignorable_Code_Point})\p{Cn}$/u;
const VISIBLE_FORMAT = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
const SELECTOR = /^\p{Variation_Selector}$/u;
const JOINER = /^\p{Join_Control}$/u;

/** The rule of the file's header, by the runtime's Unicode data. */
function isKept(character: string): boolean {
  return (!CONTROL.test(character) && !RESERVED_INVISIBLE.test(character)) || VISIBLE_FORMAT.test(character);
}

test('the table of the Basic Multilingual Plane agrees with the general categories', () => {
  const wrong: string[] = [];
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    const judgedByContext = SELECTOR.test(character) || JOINER.test(character);
    const expected = isKept(character) && !judgedByContext;
    if ((unitClass(unit) === KEEP) !== expected) wrong.push(unit.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('the ranges above it agree with the general categories', () => {
  const wrong: string[] = [];
  for (let codePoint = 0x10000; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const found = pairClass(character.charCodeAt(0), character.charCodeAt(1));
    const expected = SELECTOR.test(character) ? SUPPLEMENT_SELECTOR : isKept(character) ? KEEP : DROP;
    if (found !== expected) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('the searches find exactly the units that are not plain', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    if (NOT_PLAIN_IN_BODY.test(character) !== unitClass(unit) > LAYOUT) throw new Error(unit.toString(16));
    if (NOT_PLAIN_IN_FIELD.test(character) !== unitClass(unit) > KEEP) throw new Error(unit.toString(16));
  }
});

test('past the end of a text nothing is kept', () => {
  expect(unitClass(''.charCodeAt(0))).toBe(DROP);
});
