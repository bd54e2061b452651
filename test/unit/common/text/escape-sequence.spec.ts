import { describe, expect, test } from '@jest/globals';
import { escapeSequenceEnd, MAX_CONTROL_UNITS, MAX_STRING_UNITS } from '../../../../src/common/text/escape-sequence.js';

const ESC = '\x1b';

describe('escapeSequenceEnd', () => {
  test.each([
    ['a control sequence', `${ESC}[31m`, 'text'],
    ['the same by its C1 control', '\x9b31m', 'text'],
    ['a control string with BEL', `${ESC}]0;t\x07`, 'text'],
    ['a control string with ST', `${ESC}]0;t${ESC}\\`, 'text'],
    ['a control string with the C1 form of ST', '\x9d0;t\x9c', 'text'],
    ['the introducer of a control string without an end', `${ESC}]`, '0;t'],
    ['a C1 introducer without an end', '\x90', 'q'],
    ['two characters', `${ESC}c`, 'text'],
    ['three characters', `${ESC}(B`, 'text'],
    ['ESC alone before an intermediate without an end', ESC, ' \n'],
    ['ESC alone at the end', ESC, ''],
    ['a control sequence stops before what it cannot hold', `${ESC}[31`, '\nm'],
  ])('%s', (_, sequence, rest) => {
    expect(escapeSequenceEnd(`ab${sequence}${rest}`, 2)).toBe(2 + sequence.length);
  });

  test('a control sequence is read no further than its bound', () => {
    expect(escapeSequenceEnd(`${ESC}[${'1'.repeat(10_000)}m`, 0)).toBe(2 + MAX_CONTROL_UNITS);
  });

  test('a control string with its terminator at the bound goes, one unit further it stays', () => {
    const inside = 'x'.repeat(MAX_STRING_UNITS - 1);
    expect(escapeSequenceEnd(`${ESC}]${inside}\x07`, 0)).toBe(2 + MAX_STRING_UNITS);
    expect(escapeSequenceEnd(`${ESC}]x${inside}\x07`, 0)).toBe(2);
  });
});
