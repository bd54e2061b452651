/** One check of a scenario, as the suite reports it. */
export interface Check {
  readonly id: string;
  /** SUCCESS, FAILURE, WARNING; others (SKIPPED, INFO) say nothing about the server. */
  readonly status: string;
  readonly errorMessage?: string;
}

/** What one run of the suite said about one scenario. */
export interface ScenarioResult {
  readonly run: string;
  readonly scenario: string;
  readonly checks: readonly Check[];
}

/** An entry of the list of expected failures. */
export interface Expectation {
  readonly runs: readonly string[];
  readonly scenario: string;
  /** Absent: any check of the scenario may fail, and at least one must. */
  readonly check?: string;
  readonly reason: string;
}

/** What came out. */
export interface Verdict {
  /** Checks that passed. */
  readonly passed: number;
  /** Checks that failed as listed. */
  readonly expected: number;
  /** Unlisted failures and stale entries, one line each. */
  readonly failures: readonly string[];
}

export declare function judge(results: readonly ScenarioResult[], expectations: readonly Expectation[]): Verdict;

/** Entries of the list that are for no run there is, one line each. */
export declare function unknownRuns(expectations: readonly Expectation[], runs: readonly string[]): string[];
