/**
 * Who may import whom. `npm run arch` checks src/; test/architecture shows that each rule catches a planted violation.
 *
 *   bin, files of src/ itself               the roots: they choose a transport and wire the rest
 *   mcp, health, cli                        what a caller meets: tools, health, commands
 *   gopher, gemini                          protocols
 *   trust, cert                             pins and client identities
 *   fetch                                   the one pipeline around every protocol
 *   safety, cache, file-store, state, ...   what the pipeline and the stores stand on
 *   demo                                    sample servers on loopback, which know nobody
 *   config, logging, clock                  settings, log and time, given to everybody
 *   common                                  pure vocabulary, at the bottom
 *
 * Inside a domain: core/ is pure, io/ touches the outside, the folder itself holds services and ports, *.module.ts wires, and
 * index.ts is all that others see.
 */

/** Which domains a domain may know, each through its index.ts (modules also through *.module.ts). */
const KNOWS = {
  cache: ['state'],
  safety: ['state'],
  'file-store': [],
  state: [],
  trust: ['file-store', 'state'],
  cert: ['file-store', 'state'],
  fetch: ['safety', 'cache', 'state'],
  gopher: ['fetch'],
  gemini: ['fetch', 'trust', 'cert'],
  audit: [],
  demo: [],
  auth: ['file-store', 'state'],
  observability: ['state', 'fetch'],
};
const DOMAINS = Object.keys(KNOWS);
/** They hold a third-party library behind a port; the others' roots know no package but Nest's decorators. */
const WRAPPERS = ['cache', 'state', 'auth', 'observability'];
const ROOTS = '^src/(bin/|[^/]+\\.ts$)';
const OUTER = ['mcp', 'health', 'cli'];
/** Given to everybody. */
const GROUND = ['common', 'config', 'logging', 'clock'];
const BELOW_ROOTS = [...GROUND, ...OUTER, ...DOMAINS];

const any = (names) => `(${names.join('|')})`;
const PACKAGES = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];
const MODULE_FILE = '\\.module\\.ts$';
/** An injection token in a file of its own can be named without loading what its domain's index offers. */
const TOKEN_FILE = '\\.token\\.ts$';
const PUBLIC_FILE = `^src/[^/]+/(index\\.ts|[^/]+(${MODULE_FILE}|${TOKEN_FILE}))`;

/** Built-in modules without I/O, clock or randomness; ESLint says which names of node:crypto and node:util. */
const PURE_BUILTINS = '^(node:)?(buffer|string_decoder|util|crypto)$';
const NETWORK_AND_FILES = '^(node:)?(net|tls|dns|dgram|http|https|http2|fs|child_process|cluster|worker_threads)(/|$)';

/** What a domain stands on, by any number of steps. */
const below = (domain) => [...new Set(KNOWS[domain].flatMap((name) => [name, ...below(name)]))];

/** The directions of KNOWS. A module also wires what is further below: it gives a pipeline its parts. */
const directions = DOMAINS.flatMap((domain) => {
  const rule = (name, from, known) => ({
    name,
    comment: `${domain}/ may know ${known.join(', ') || 'no other domain'}: dependencies run one way, so that each domain can be read and tested alone.`,
    severity: 'error',
    from,
    to: { path: '^src/', pathNot: [`^src/${any([...GROUND, domain, ...known])}/`] },
  });
  const path = `^src/${domain}/`;
  if (below(domain).length === KNOWS[domain].length)
    return [rule(`${domain}-knows-only-its-neighbours`, { path }, KNOWS[domain])];
  return [
    rule(`${domain}-knows-only-its-neighbours`, { path, pathNot: [MODULE_FILE] }, KNOWS[domain]),
    rule(`${domain}-wires-only-what-is-below`, { path: `${path}.*${MODULE_FILE}` }, below(domain)),
  ];
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that import each other are one file in two pieces; nobody can load, test or read either alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'An import that leads nowhere fails only when the line runs.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'What src/ imports must be installed with the package.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'folder-has-a-place',
      comment: 'A new folder in src/ gets its place in this file before anything is imported there.',
      severity: 'error',
      from: { path: '^src/', pathNot: [ROOTS, `^src/${any(BELOW_ROOTS)}/`] },
      to: {},
    },
    {
      name: 'common-is-the-bottom',
      comment: 'common/ is vocabulary that every part shares: it knows nobody.',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: '^src/', pathNot: ['^src/common/'] },
    },
    {
      name: 'common-stands-alone',
      comment: 'common/ is pure and free of packages. Three files wrap one thing each: iconv-lite, BlockList, IDNA.',
      severity: 'error',
      from: { path: '^src/common/', pathNot: ['^src/common/(text/charset|net/ip|net/host)\\.ts$'] },
      to: { dependencyTypes: [...PACKAGES, 'core'], pathNot: [PURE_BUILTINS] },
    },
    {
      name: 'common-wraps-no-more',
      comment: 'The files of common/ that may wrap something wrap that one thing.',
      severity: 'error',
      from: { path: '^src/common/(text/charset|net/ip|net/host)\\.ts$' },
      to: {
        dependencyTypes: [...PACKAGES, 'core'],
        pathNot: [PURE_BUILTINS, 'node_modules/iconv-lite/', '^(node:)?(net|url)$'],
      },
    },
    {
      name: 'core-is-pure',
      comment:
        'core/ decides and parses: bytes and facts in, data out. Packages, Nest and I/O belong to io/ and the services.',
      severity: 'error',
      from: { path: '^src/[^/]+/core/' },
      to: { dependencyTypes: [...PACKAGES, 'core'], pathNot: [PURE_BUILTINS] },
    },
    {
      name: 'core-knows-only-common',
      comment: 'core/ imports its own core/ and common/, so that it can be tested with values alone.',
      severity: 'error',
      from: { path: '^src/([^/]+)/core/' },
      to: { path: '^src/', pathNot: ['^src/common/', '^src/$1/core/'] },
    },
    {
      name: 'io-knows-its-own-domain',
      comment:
        'io/ implements ports of its domain. It sees its core/, those ports and common/, never a service or another domain.',
      severity: 'error',
      from: { path: '^src/([^/]+)/io/' },
      to: {
        path: '^src/',
        pathNot: ['^src/common/', '^src/$1/(core|io)/', '^src/$1/[^/]+\\.port\\.ts$', '^src/file-store/index\\.ts$'],
      },
    },
    {
      name: 'io-without-frameworks',
      comment: 'io/ wraps what is outside; it is made by a factory in the module and knows neither Nest nor MCP.',
      severity: 'error',
      from: { path: '^src/[^/]+/io/' },
      to: { path: 'node_modules/(@nestjs|@modelcontextprotocol|nestjs-pino)/' },
    },
    {
      name: 'services-are-given-their-io',
      comment: 'Services name a port; the module decides what stands behind it. So tests put a fake there.',
      severity: 'error',
      from: { path: `^src/${any(DOMAINS)}/[^/]+\\.ts$`, pathNot: [MODULE_FILE, '/index\\.ts$'] },
      to: { path: '^src/$1/io/' },
    },
    {
      name: 'services-do-no-io',
      comment: 'Sockets, files and processes are reached through a port, from io/ alone.',
      severity: 'error',
      from: { path: `^src/${any([...DOMAINS, ...OUTER])}/`, pathNot: ['/io/', '^src/mcp/transports/', '^src/cli/'] },
      to: { path: NETWORK_AND_FILES, dependencyTypes: ['core'] },
    },
    {
      name: 'services-know-no-packages',
      comment:
        'A domain service is plain code with decorators of @nestjs/common. A library is wrapped in io/, or by a domain made for it.',
      severity: 'error',
      from: {
        path: `^src/${any(DOMAINS.filter((name) => !WRAPPERS.includes(name)))}/[^/]+\\.ts$`,
        pathNot: [MODULE_FILE],
      },
      to: { dependencyTypes: PACKAGES, pathNot: ['node_modules/@nestjs/common/'] },
    },
    {
      name: 'config-is-read-by-modules',
      comment:
        'A class gets the typed slice of settings that it needs from its module, never the configuration itself.',
      severity: 'error',
      from: { path: `^src/${any(DOMAINS)}/`, pathNot: [MODULE_FILE] },
      to: { path: '^src/config/' },
    },
    {
      name: 'config-is-pure-settings',
      comment: 'config/ says names, defaults and bounds; it knows no part that uses them.',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/', pathNot: ['^src/(config|common)/'] },
    },
    {
      name: 'logging-serves-everyone',
      comment: 'logging/ is used by all, so it knows only its settings.',
      severity: 'error',
      from: { path: '^src/logging/' },
      to: { path: '^src/', pathNot: ['^src/(logging|config|common)/'] },
    },
    {
      name: 'clock-serves-everyone',
      comment: 'clock/ is used by all, so it knows nobody.',
      severity: 'error',
      from: { path: '^src/clock/' },
      to: { path: '^src/', pathNot: ['^src/(clock|common)/'] },
    },
    ...directions,
    {
      name: 'domains-meet-at-the-index',
      comment:
        'What a domain offers is in its index.ts, and for wiring in its module; the rest may change without asking.',
      severity: 'error',
      from: { path: `^src/${any([...DOMAINS, ...OUTER])}/` },
      to: { path: `^src/${any(DOMAINS)}/`, pathNot: ['^src/$1/', PUBLIC_FILE] },
    },
    {
      name: 'modules-are-for-modules',
      comment: 'A *.module.ts is wiring: only modules and roots import one, and an index.ts may offer it.',
      severity: 'error',
      from: { path: '^src/', pathNot: [MODULE_FILE, '/index\\.ts$', ROOTS] },
      to: { path: MODULE_FILE },
    },
    {
      name: 'mcp-sdk-stays-in-mcp',
      comment: 'Domains know no transport and no tool: the SDK may change its whole shape without touching them.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/mcp/', ROOTS] },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'nobody-imports-mcp-or-health',
      comment: 'They are the outermost ring; only the roots put them together.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: [ROOTS] },
      to: { path: `^src/${any(OUTER)}/`, pathNot: ['^src/$1/'] },
    },
    {
      name: 'nobody-imports-the-roots',
      comment: 'bin/ and the files of src/ itself are where a process begins.',
      severity: 'error',
      from: { path: '^src/', pathNot: [ROOTS] },
      to: { path: ROOTS },
    },
    {
      name: 'roots-see-no-internals',
      comment: 'The roots choose and start modules; what is inside a domain is none of their business.',
      severity: 'error',
      from: { path: ROOTS },
      to: { path: '^src/[^/]+/(core|io)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports of types are dependencies too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
