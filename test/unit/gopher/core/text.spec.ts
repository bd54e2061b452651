import { describe, expect, test } from '@jest/globals';
import { readableText } from '../../../../src/gopher/core/text.js';

describe('readable text', () => {
  test.each([
    ['framing is undone', 'Hello\r\n..stuffed\r\n...two\r\n.\r\n', 'Hello\n.stuffed\n..two\n'],
    ['also on the first line', '..a\n..b\n.\n', '.a\n.b\n'],
    ['only where the last line is a lone dot', '..keep both\n.hidden\nend\n', '..keep both\n.hidden\nend\n'],
    ['a lone dot elsewhere is text', 'mid\r\n.\r\nafter\r\n', 'mid\n.\nafter\n'],
    ['a dot without a line end is the last line', 'a\n.', 'a\n'],
    ['blank lines behind the dot do not count', 'a\r\n.\r\n\r\n', 'a\n'],
    ['nor do NULs', 'a\n.\n\0\0', 'a\n'],
    ['a dot alone is no text', '.\r\n', ''],
    ['nothing is nothing', '', ''],
    ['a dot at the end of a line is text', 'The end.\n', 'The end.\n'],
    ['CR alone ends lines', 'cr only\rline two\r', 'cr only\nline two\n'],
    ['CR CR LF are two', 'a\r\r\nb', 'a\n\nb'],
    ['what cannot be seen goes', 'a\x1b[31mb\u202ec\td', 'abc\td'],
    ['blank lines at the end stay', 'a\n\n\n', 'a\n\n\n'],
  ])('%s', (_, decoded, text) => {
    expect(readableText(decoded)).toBe(text);
  });
});
