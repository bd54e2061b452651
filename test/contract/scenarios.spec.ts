/**
 * Holds the built server against sessions that were recorded from gopher-mcp 0.10.2: the same calls, the same local
 * servers, the same answers, but for the places that deviations.json names with a reason.
 */
import { describe, expect, test } from '@jest/globals';

import { loadDeviations, loadScenarios } from '../support/scenario-format.js';
import { playScenario } from '../support/scenario-run.js';

const TIMEOUT_MS = 120_000;

const scenarios = loadScenarios();
const deviations = loadDeviations(scenarios);

describe('recorded scenarios', () => {
  for (const scenario of scenarios) {
    test.concurrent(
      `${scenario.id}: ${scenario.covers.join(', ')}`,
      async () => {
        const failures = await playScenario(scenario, deviations[scenario.id] ?? []);
        expect(failures.join('\n')).toBe('');
      },
      TIMEOUT_MS,
    );
  }
});
