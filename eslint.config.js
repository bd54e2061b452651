/**
 * Lint rules. A rule is an error or absent; each rule that is ours says in its message why it exists.
 * Who may import whom is checked by dependency-cruiser (.dependency-cruiser.cjs), not here: one tool for one job.
 */
import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const TYPESCRIPT = ['**/*.ts', '**/*.cts'];
const PURE = ['src/common/**/*.ts', 'src/*/core/**/*.ts'];

const PURE_WHY = 'core/ and common/ are pure: the same input gives the same output, so that tests need no set-up.';
const EDGE_WHY =
  'Only src/bin/ talks to the process: everything else is given what it needs, and stdout belongs to the protocol.';

const forbidGlobals = (why, names) => names.map((name) => ({ name, message: why }));

const ambientState = ['process', 'console', 'performance', 'fetch', 'crypto'];
const timers = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'];

/** Built-in modules without I/O, clock or randomness; some only in part. Everything else of Node's is out of the pure folders. */
const PURE_BUILTINS = {
  'node:buffer': null,
  'node:string_decoder': null,
  'node:util': ['TextDecoder', 'TextEncoder'],
  'node:crypto': ['createHash', 'createHmac', 'timingSafeEqual', 'X509Certificate'],
};

/** What single files may have besides, because they exist to wrap it. */
const PURE_EXCEPTIONS = {
  'src/common/net/host.ts': { 'node:url': ['domainToASCII'], 'node:net': ['isIP', 'isIPv4', 'isIPv6'] },
  'src/common/net/ip.ts': { 'node:net': ['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress'] },
};

function pureImports(exceptions = {}) {
  const allowed = { ...PURE_BUILTINS, ...exceptions };
  const partly = Object.entries(allowed).filter(([, names]) => names !== null);
  const others = Object.keys(allowed)
    .map((name) => name.slice('node:'.length))
    .join('|');
  return [
    'error',
    {
      paths: partly.map(([name, allowImportNames]) => ({ name, allowImportNames, message: PURE_WHY })),
      patterns: [{ regex: `^node:(?!(${others})$)`, message: PURE_WHY }],
    },
  ];
}

export default defineConfig(
  {
    name: 'ignored',
    ignores: ['dist/', 'build/', 'coverage/', 'test/fixtures/', 'test/architecture/fixtures/'],
  },
  { name: 'linter', linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { name: 'javascript', ...eslint.configs.recommended },
  {
    name: 'everywhere',
    // Control characters in patterns are deliberate here: peers send them, and finding them is the job.
    rules: { 'no-control-regex': 'off' },
  },
  {
    name: 'scripts',
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    rules: {
      // Node's globals are not declared anywhere for plain scripts.
      'no-undef': 'off',
    },
  },
  {
    name: 'typescript',
    files: TYPESCRIPT,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A Nest module is an empty class with a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // A port is an interface and its injection token under one name.
      '@typescript-eslint/no-redeclare': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return refuse(problem);` says that this is the end of the matter.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Libraries declare both: type parameters that only their callers choose, and classes that describe plain options.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    name: 'src',
    files: ['src/**/*.ts', 'src/**/*.cts'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'Named exports only: what a folder offers is read in its index.ts, not collected from its files.',
        },
        {
          selector: 'TSEnumDeclaration',
          message: 'A union of string literals says the same and leaves nothing behind at run time.',
        },
      ],
    },
  },
  {
    name: 'src, apart from the process',
    files: ['src/**/*.ts'],
    ignores: ['src/bin/**'],
    rules: { 'no-restricted-globals': ['error', ...forbidGlobals(EDGE_WHY, ['process', 'console'])] },
  },
  {
    name: 'every protocol revision',
    files: ['src/mcp/**/*.ts'],
    rules: {
      // The SDK marks what its newest revision leaves out, and the low-level server as such; both are served on purpose.
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
  {
    name: 'pure folders',
    files: PURE,
    rules: {
      'no-restricted-globals': ['error', ...forbidGlobals(PURE_WHY, [...ambientState, ...timers])],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: `${PURE_WHY} Time is an argument (nowMs).` },
        { object: 'Math', property: 'random', message: `${PURE_WHY} Randomness is an argument.` },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'Named exports only: what a folder offers is read in its index.ts, not collected from its files.',
        },
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: `${PURE_WHY} Time is an argument (nowMs).`,
        },
      ],
      'no-restricted-imports': pureImports(),
    },
  },
  ...Object.entries(PURE_EXCEPTIONS).map(([file, exceptions]) => ({
    name: `pure folders, ${file}`,
    files: [file],
    rules: { 'no-restricted-imports': pureImports(exceptions) },
  })),
  {
    name: 'tests and benchmarks',
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // Answers of a server under test are JSON of unknown shape; a wrong guess fails the test, which is the point.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-deprecated': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Settings classes are spread into plain objects, to change one field.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      // Fakes implement asynchronous ports without waiting for anything.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
