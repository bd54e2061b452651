/** Which parts of the conformance suite are run against what. */

/** Scenarios about HTTP itself: over stdio they would judge the bridge. */
const ABOUT_HTTP = [
  'server-stateless',
  'server-session-lifecycle',
  'server-sse-polling',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'http-header-validation',
  'http-custom-header-server-validation',
];

/** Scenarios that need no fixtures, so that the product can be judged as it ships. */
export const OF_THE_PRODUCT = {
  '2025-11-25': [
    'server-initialize',
    'logging-set-level',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
};

const REVISIONS = ['2025-11-25', '2026-07-28'];

/**
 * One row for each run:
 *   name     as in expected-failures.json
 *   program  the suite, see test/outside/programs.mjs
 *   args     which of its scenarios; `--requirements` is everything that counts for a revision, and its extensions
 *   target   `fixtures` or `product`, over `http` or `stdio`, or as `replicas` behind a balancer
 *   only, except  the scenarios that are judged; absent: all
 */
export const RUNS = [
  {
    name: 'stable 2025-11-25 http',
    program: 'conformance-stable',
    args: ['--suite', 'all', '--spec-version', '2025-11-25'],
    target: 'fixtures http',
  },
  ...REVISIONS.flatMap((revision) => {
    const common = { program: 'conformance-next', args: ['--requirements', revision] };
    return [
      { ...common, name: `next ${revision} http`, target: 'fixtures http' },
      { ...common, name: `next ${revision} replicas`, target: 'fixtures replicas' },
      { ...common, name: `next ${revision} stdio`, target: 'fixtures stdio', except: ABOUT_HTTP },
      { ...common, name: `next ${revision} product`, target: 'product http', only: OF_THE_PRODUCT[revision] },
    ];
  }),
];
