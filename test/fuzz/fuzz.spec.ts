/**
 * A moment of fuzzing for each target, with the kept inputs first; `npm run fuzz` is the long form.
 *
 * Environment: TEST_FUZZ_SECONDS   CPU seconds for each target (default 0.5)
 */
import { describe, expect, test } from '@jest/globals';
import { TARGETS } from './targets.js';
import { runTarget } from './target.js';

const cpuMs = Number(process.env['TEST_FUZZ_SECONDS'] ?? 0.5) * 1000;

describe('no input breaks the promises of', () => {
  test.each(TARGETS.map((target) => [target.name, target] as const))('%s', (_, target) => {
    // Always the same inputs: finding new ones is for `npm run fuzz`, whose seeds differ.
    const report = runTarget(target, cpuMs, 1);
    if (report.failure) throw new Error(`${JSON.stringify(report.failure.input)}\n${report.failure.message}`);
    expect(report.executions).toBeGreaterThan(0);
  });
});
