/**
 * Holds the built server against sessions that were recorded from gopher-mcp 0.10.2: the same calls, the same local
 * servers, the same answers, but for the places that deviations.json names with a reason.
 */
import { networkInterfaces } from 'node:os';

import { describe, expect, test } from '@jest/globals';

import { loadDeviations, loadScenarios, type Scenario } from '../support/scenario-format.js';
import { playScenario } from '../support/scenario-run.js';

const TIMEOUT_MS = 120_000;

const scenarios = loadScenarios();
const deviations = loadDeviations(scenarios);

/** Containers often have no IPv6, not even on loopback. */
function canPlay({ servers }: Scenario): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));
  return servers.every(({ bind = '127.0.0.1' }) => bind === '127.0.0.1' || addresses.includes(bind));
}

describe('recorded scenarios', () => {
  for (const scenario of scenarios) {
    const play = canPlay(scenario) ? test.concurrent : test.concurrent.skip;
    play(
      `${scenario.id}: ${scenario.covers.join(', ')}`,
      async () => {
        const failures = await playScenario(scenario, deviations[scenario.id] ?? []);
        expect(failures.join('\n')).toBe('');
      },
      TIMEOUT_MS,
    );
  }
});
