import { describe, expect, test } from '@jest/globals';
import { canShowForms } from '../../../src/mcp/confirmation.js';

describe('whether a client can show a form', () => {
  test.each([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: null }, false],
    [{ sampling: {} }, false],
    [{}, false],
    [undefined, false],
    ['elicitation', false],
  ])('%j: %s', (capabilities, expected) => {
    expect(canShowForms(capabilities)).toBe(expected);
  });
});
