/**
 * Judges the results of the conformance suite against the list of what is expected to fail. Pure: results in, verdict out.
 *
 * A check that fails must be listed, and a listed one must fail: an entry that names a check which passes, or nothing that was
 * run, is stale. Warnings count as failures, since a warning is a SHOULD that is not kept. So does a scenario in which nothing
 * was judged: it says nothing for us. Types for the tests in TypeScript: judge.d.mts.
 */

/**
 * @param results of every run that was made
 * @param expectations the list, entries of which may be for runs that were not made
 */
export function judge(results, expectations) {
  const used = new Set();
  let passed = 0;
  const unexpected = [];
  let expected = 0;

  for (const { run, scenario, checks } of results) {
    const entries = expectations.filter((entry) => entry.runs.includes(run) && entry.scenario === scenario);
    for (const [check, { status, message }] of verdicts(scenario, checks)) {
      if (status === 'SUCCESS') {
        passed += 1;
        continue;
      }
      const entry = entries.find((one) => one.check === undefined || one.check === check);
      if (entry) {
        used.add(keyOf(run, entry));
        expected += 1;
      } else unexpected.push(`${run} ${scenario} ${check}: ${status.toLowerCase()}${message ? `: ${message}` : ''}`);
    }
  }

  const runs = new Set(results.map(({ run }) => run));
  const stale = expectations.flatMap((entry) =>
    entry.runs
      .filter((run) => runs.has(run) && !used.has(keyOf(run, entry)))
      .map(
        (run) =>
          `${run} ${entry.scenario}${entry.check === undefined ? '' : ` ${entry.check}`}: listed, but does not fail`,
      ),
  );
  return { passed, expected, failures: [...unexpected, ...stale] };
}

/** Entries of the list that are for no run there is. */
export function unknownRuns(expectations, runs) {
  return expectations.flatMap(({ scenario, runs: named }) =>
    named.filter((run) => !runs.includes(run)).map((run) => `${run} ${scenario}: listed, but there is no such run`),
  );
}

const SEVERITY = ['SUCCESS', 'WARNING', 'FAILURE'];

/** One verdict for each check that was judged, the worst where an id comes again. */
function verdicts(scenario, checks) {
  const worst = new Map();
  for (const { id, status, errorMessage } of checks) {
    const severity = SEVERITY.indexOf(status);
    if (severity < 0 || severity <= SEVERITY.indexOf(worst.get(id)?.status)) continue;
    worst.set(id, { status, message: errorMessage });
  }
  if (worst.size === 0) worst.set('nothing-judged', { status: 'FAILURE', message: `no check of ${scenario} applied` });
  return worst;
}

function keyOf(run, { scenario, check }) {
  return JSON.stringify([run, scenario, check ?? null]);
}
