/**
 * Holds the built server against bytes that have troubled other clients: each case comes from a public bug report, a
 * torture suite or a rule of the specifications, which its `source` names.
 */
import { afterAll, describe, expect, test } from '@jest/globals';

import { loadWireCases } from '../support/wire-case-format.js';
import { runWireCase, WireTargets } from '../support/wire-case-run.js';

const TIMEOUT_MS = 120_000;

const targets = new WireTargets();

afterAll(() => targets.close(), TIMEOUT_MS);

describe('wire cases', () => {
  for (const [index, wireCase] of loadWireCases().entries()) {
    test.concurrent(
      `${wireCase.id}: ${wireCase.why}`,
      async () => {
        const failures = await runWireCase(wireCase, index, targets);
        expect(failures.join('\n')).toBe('');
      },
      TIMEOUT_MS,
    );
  }
});
