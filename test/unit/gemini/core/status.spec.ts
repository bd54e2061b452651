import { describe, expect, test } from '@jest/globals';
import { certificatePrompt, inputPrompt, statusFailure } from '../../../../src/gemini/core/status.js';

describe('input', () => {
  test.each([
    [10, false],
    [11, true],
    [12, false],
    [19, false],
  ])('status %i: sensitive %s', (status, sensitive) => {
    expect(inputPrompt({ status, meta: 'Your \u001b[1mname?' })).toEqual({
      kind: 'input',
      prompt: 'Your name?',
      sensitive,
    });
  });
});

describe('certificates', () => {
  test.each([
    [60, true, 'Only if they agree'],
    [61, false, 'another identity does not help'],
    [62, false, 'gemini_client_cert_list'],
    [63, false, 'not defined'],
    [69, false, 'not defined'],
  ])('status %i: required %s', (status, required, step) => {
    expect(certificatePrompt({ status, meta: 'Log in\u200b' })).toEqual({
      kind: 'certificate',
      message: 'Log in',
      status,
      required,
      next_step: expect.stringContaining(step),
    });
  });
});

describe('failures', () => {
  test.each([
    [40, 'TEMPORARY_ERROR', 'once more after a pause'],
    [41, 'TEMPORARY_ERROR', 'no other paths'],
    [42, 'TEMPORARY_ERROR', 'the same URL once more'],
    [43, 'TEMPORARY_ERROR', 'the same URL once more'],
    [44, 'TEMPORARY_ERROR', 'Wait as many seconds'],
    [45, 'TEMPORARY_ERROR', 'once more after a pause'],
    [49, 'TEMPORARY_ERROR', 'once more after a pause'],
    [50, 'PERMANENT_ERROR', 'Do not retry'],
    [51, 'PERMANENT_ERROR', 'Check the spelling'],
    [52, 'PERMANENT_ERROR', 'stop using'],
    [53, 'PERMANENT_ERROR', 'host or the port'],
    [54, 'PERMANENT_ERROR', 'Do not retry'],
    [59, 'PERMANENT_ERROR', 'Check the URL'],
  ])('status %i: %s', (status, code, step) => {
    const failure = statusFailure({ status, meta: 'quite \u001b[0m vexing\u200b' });
    expect(failure).toMatchObject({
      code,
      facts: {
        meta: 'quite  vexing',
        status,
        temporary: code === 'TEMPORARY_ERROR',
        next_step: expect.stringContaining(step),
      },
    });
    // The capsule's words stay apart from ours.
    expect(failure.message).not.toContain('vexing');
  });
});
