/** A jest reporter for logs that are read only when something failed: each failure whole, then one line of totals. */
export default class CiReporter {
  onTestResult(_test, { failureMessage, testFilePath }) {
    if (failureMessage) process.stderr.write(`FAIL ${testFilePath}\n${failureMessage}\n`);
  }

  onRunComplete(_contexts, results) {
    const files = `${results.numTotalTestSuites} files (${results.numFailedTestSuites} with failures)`;
    const tests = `${results.numTotalTests} tests: ${results.numPassedTests} good, ${results.numFailedTests} bad`;
    const seconds = Math.round((Date.now() - results.startTime) / 1000);
    process.stderr.write(`jest: ${files}, ${tests}, ${results.numPendingTests} left out, ${seconds} s\n`);
  }
}
