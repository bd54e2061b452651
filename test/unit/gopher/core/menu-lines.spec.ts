import { describe, expect, test } from '@jest/globals';
import { MenuLines } from '../../../../src/gopher/core/menu-lines.js';

function linesOf(text: string): string[] {
  const lines = new MenuLines(text);
  const found: string[] = [];
  while (lines.next()) found.push(text.slice(lines.start, lines.end));
  return found;
}

describe('menu lines', () => {
  test.each([
    ['CRLF, LF, CR and CR CR LF end lines', 'a\r\nb\nc\rd\r\r\ne', ['a', 'b', 'c', 'd', 'e']],
    ['VT, FF, NEL and LS do not', 'a\vb\fc\u0085d\u2028e', ['a\vb\fc\u0085d\u2028e']],
    ['empty and blank lines are none', '\r\n\n \t \na\n\0\n', ['a']],
    ['a lone dot ends the menu', 'a\n.\nb\n', ['a']],
    ['so does one among blanks', 'a\n \t.\t \r\nb', ['a']],
    ['or one at the end of the text', 'a\n.', ['a']],
    ['two dots do not', '..\n...x\n.b', ['..', '...x', '.b']],
    ['blanks of a line stay', '  a  \n', ['  a  ']],
    ['nothing is nothing', '', []],
  ])('%s', (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  test('fields are found in the line alone', () => {
    const lines = new MenuLines('ab\tc\nd\ne\tf\n');
    expect([lines.next(), lines.tabAfter(0), lines.tabAfter(3)]).toEqual([true, 2, 4]);
    expect([lines.next(), lines.tabAfter(5)]).toEqual([true, 6]);
    expect([lines.next(), lines.tabAfter(7), lines.tabAfter(9)]).toEqual([true, 8, 10]);
  });

  test('the end stays the end', () => {
    const lines = new MenuLines('a\n.\nb\n');
    expect([lines.next(), lines.next(), lines.next()]).toEqual([true, false, false]);
  });
});
