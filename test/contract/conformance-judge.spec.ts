/** The list of expected failures excuses what it names and nothing else, and does not outlive its reason. */
import { describe, expect, test } from '@jest/globals';

import { judge, unknownRuns, type Check, type Expectation } from '../conformance/judge.mjs';

const RUN = 'next 2026-07-28 http';

describe('judging the conformance suite', () => {
  test('checks that pass are counted, those that say nothing are not', () => {
    const verdict = judgeChecks([check('a', 'SUCCESS'), check('b', 'SKIPPED'), check('c', 'INFO')], []);
    expect(verdict).toEqual({ passed: 1, expected: 0, failures: [] });
  });

  test.each(['FAILURE', 'WARNING'])('an unlisted %s is told with its message', (status) => {
    const { failures } = judgeChecks([check('a', 'SUCCESS'), check('b', status, 'no such tool')], []);
    expect(failures).toEqual([`${RUN} pings b: ${status.toLowerCase()}: no such tool`]);
  });

  test('an id that comes again counts once, as its worst', () => {
    expect(judgeChecks([check('a', 'SUCCESS'), check('a', 'WARNING'), check('a', 'FAILURE')], [])).toEqual({
      passed: 0,
      expected: 0,
      failures: [`${RUN} pings a: failure`],
    });
    expect(judgeChecks([check('a', 'FAILURE'), check('a', 'SUCCESS')], []).passed).toBe(0);
  });

  test.each([
    ['no check at all', []],
    ['only checks that were skipped', [check('a', 'SKIPPED')]],
  ])('a scenario with %s fails', (_what, checks) => {
    expect(judgeChecks(checks, []).failures).toEqual([expect.stringContaining('nothing-judged')]);
  });

  test('a listed check may fail, its neighbours may not', () => {
    const checks = [check('a', 'FAILURE'), check('b', 'FAILURE')];
    expect(judgeChecks(checks, [listed({ check: 'a' })])).toEqual({
      passed: 0,
      expected: 1,
      failures: [`${RUN} pings b: failure`],
    });
  });

  test('a listed scenario may fail in any check', () => {
    const checks = [check('a', 'FAILURE'), check('b', 'WARNING'), check('c', 'SUCCESS')];
    expect(judgeChecks(checks, [listed({})])).toEqual({ passed: 1, expected: 2, failures: [] });
  });

  test('a list for another run excuses nothing', () => {
    const { failures } = judgeChecks([check('a', 'FAILURE')], [listed({ runs: ['stable 2025-11-25 http'] })]);
    expect(failures).toEqual([`${RUN} pings a: failure`]);
  });

  test.each([
    ['a check that passes', { check: 'a' }],
    ['a check that there is not', { check: 'z' }],
    ['a scenario that passes', {}],
    ['a scenario that there is not', { scenario: 'pongs' }],
  ])('an entry for %s is stale', (_what, members) => {
    const { failures } = judgeChecks([check('a', 'SUCCESS')], [listed(members)]);
    expect(failures).toEqual([expect.stringContaining('listed, but does not fail')]);
  });

  test('an entry is not stale because its run was not made, but when there is no such run', () => {
    const entry = listed({ runs: ['stable 2025-11-25 http'] });
    expect(judgeChecks([check('a', 'SUCCESS')], [entry]).failures).toEqual([]);
    expect(unknownRuns([entry], ['stable 2025-11-25 http'])).toEqual([]);
    expect(unknownRuns([entry], [RUN])).toEqual(['stable 2025-11-25 http pings: listed, but there is no such run']);
  });
});

function judgeChecks(checks: readonly Check[], expectations: readonly Expectation[]) {
  return judge([{ run: RUN, scenario: 'pings', checks }], expectations);
}

function check(id: string, status: string, errorMessage?: string): Check {
  return { id, status, ...(errorMessage === undefined ? {} : { errorMessage }) };
}

function listed(members: Partial<Expectation>): Expectation {
  return { runs: [RUN], scenario: 'pings', reason: 'not offered', ...members };
}
