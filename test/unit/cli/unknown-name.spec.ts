import { describe, expect, test } from '@jest/globals';
import { unknownName } from '../../../src/cli/unknown-name.js';

describe('an unknown command', () => {
  test.each([
    ['fetc', 'unknown command "fetc"; did you mean "fetch"?'],
    ['tust', 'unknown command "tust"; did you mean "trust"?'],
    ['serve', 'unknown command "serve"; the commands are fetch, trust'],
    ['', 'unknown command ""; the commands are fetch, trust'],
    ['\u001b[2Jfetch', expect.not.stringContaining('\u001b')],
  ])('%j', (word, message) => {
    expect(unknownName(word, ['fetch', 'trust'])).toEqual(message);
  });
});
