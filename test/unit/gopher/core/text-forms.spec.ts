import { describe, expect, test } from '@jest/globals';
import { finish } from '../../../../src/common/steps.js';
import { linkLines, textOutline } from '../../../../src/gopher/core/text-forms.js';

describe('lines with links', () => {
  test.each([
    ['', ''],
    ['no link\n', ''],
    ['  gopher://a/  \n', 'gopher://a/\n'],
    ['two://a and two://b\nthree://c', 'two://a and two://b\nthree://c\n'],
  ])('%j', (text, lines) => {
    expect(finish(linkLines(text))).toBe(lines);
  });
});

describe('outline', () => {
  test.each([
    ['the first line with words', '\n\n***\nA phlog\nbody\n', '6: A phlog\n'],
    ['marked headings', 'T\n# One\n## Two\n#hash\n', '0: T\n2: # One\n8: ## Two\n'],
    ['underlined lines', 'T\nOne\n===\nTwo\n-----\nno\n--\n', '0: T\n2: One\n10: Two\n'],
    ['capitals behind a blank line', 'T\n\nPART ONE\nSHOUTED\n\nOK\n\nPart two\n', '0: T\n3: PART ONE\n'],
    ['offsets in code points', '😀 T\n# One\n', '0: 😀 T\n4: # One\n'],
    ['no long lines', `T\n# ${'x'.repeat(200)}\n`, '0: T\n'],
    ['nothing', '', ''],
  ])('%s', (_, text, outline) => {
    expect(finish(textOutline(text))).toBe(outline);
  });
});
