/** Loaded before each test file when TEST_FUZZ_RUNS is set: long runs ask for more cases than fast-check's 100. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(process.env['TEST_FUZZ_RUNS']) });
