/**
 * Jest in ESM mode (Nest 12 is ESM only); run it through `npm test`, which passes --experimental-vm-modules.
 *
 * Environment: CI         few lines: failures and one summary instead of a line for each file
 *              TEST_FUZZ_RUNS   cases for each property test that does not set its own number
 */
const inCi = process.env.CI !== undefined && process.env.CI !== '';

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata', ...(process.env.TEST_FUZZ_RUNS ? ['<rootDir>/test/support/property-runs.ts'] : [])],
  coverageProvider: 'v8',
  // Jest's own default leaves one core idle.
  maxWorkers: '100%',
  reporters: inCi ? ['<rootDir>/test/support/ci-reporter.mjs'] : ['default'],
  // Whatever the tests are about: no secret that they send comes out again.
  globalSetup: '<rootDir>/test/support/traffic-check.mjs',
  globalTeardown: '<rootDir>/test/support/traffic-teardown.mjs',
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
};
