/** What people read about the settings is what the program does: generated pages, sample environments, usage text. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FLAGS } from '../../src/bin/arguments.js';
import { formatProblem, loadConfig, type Config } from '../../src/config/index.js';
import { knownVariables } from '../../src/config/sections.js';
import { REPOSITORY } from '../support/server-under-test.js';

const REFERENCE = readFileSync(path.join(REPOSITORY, 'docs', 'configuration.md'), 'utf8');

test('the generated pages are those that the sources give', () => {
  const script = path.join(REPOSITORY, 'scripts', 'generate-docs.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ stderr, stale: stdout.split('\n').filter((line) => line.includes('stale')), status }).toEqual({
    stderr: '',
    stale: [],
    status: 0,
  });
});

test('no variable is there twice', () => {
  expect(knownVariables()).toEqual([...new Set(knownVariables())]);
});

test.each(knownVariables())('the reference has a row for %s', (variable) => {
  expect(REFERENCE).toContain(`\`${variable}\``);
});

test.each(FLAGS.map(({ name }) => name))('the reference has a row for --%s', (name) => {
  expect(REFERENCE).toMatch(new RegExp(`^\\| .*\`--${name}\\b`, 'm'));
});

describe('the variables of gopher-mcp 0.10', () => {
  const SHARED = [
    'MAX_RESPONSE_SIZE',
    'TIMEOUT_SECONDS',
    'CACHE_ENABLED',
    'CACHE_TTL_SECONDS',
    'MAX_CACHE_ENTRIES',
    'ALLOWED_HOSTS',
    'ALLOW_LOCAL_HOSTS',
    'ALLOWED_PORTS',
    'MAX_RENDERED_CHARS',
    'MAX_CONCURRENT_REQUESTS',
    'REQUESTS_PER_MINUTE',
    'RESPECT_ROBOTS_TXT',
    'ROBOTS_CACHE_TTL_SECONDS',
    'ROBOTS_HONOR_AI_TOKENS',
    'ROBOTS_FAILURE_BACKOFF_SECONDS',
  ];

  test.each([
    ...SHARED.map((suffix) => `GOPHER_${suffix}`),
    ...SHARED.map((suffix) => `GEMINI_${suffix}`),
    'GOPHER_MAX_SELECTOR_LENGTH',
    'GOPHER_MAX_SEARCH_LENGTH',
    'GOPHER_MAX_MENU_ITEMS',
    'GEMINI_TOFU_ENABLED',
    'GEMINI_TOFU_STORAGE_PATH',
    'GEMINI_TOFU_REJECT_EXPIRED',
    'GEMINI_CLIENT_CERTS_ENABLED',
    'GEMINI_CLIENT_CERTS_STORAGE_PATH',
    'GEMINI_DENIED_MIME_TYPES',
    'GOPHER_MCP_LOG_LEVEL',
    'GOPHER_MCP_STRUCTURED_LOGGING',
    'GOPHER_MCP_LOG_FILE_PATH',
  ])('%s still has an effect', (variable) => {
    expect(knownVariables()).toContain(variable);
  });
});

describe('sample environments', () => {
  const SAMPLES = path.join(REPOSITORY, 'config');
  const names = readdirSync(SAMPLES).filter((name) => name.endsWith('.env'));

  function load(name: string): Config {
    const loaded = loadConfig({}, { envFile: readFileSync(path.join(SAMPLES, name)) });
    if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'));
    return loaded.value;
  }

  test('are for a desktop, a gateway and a container', () => {
    expect(names.sort()).toEqual(['container.env', 'desktop.env', 'gateway.env']);
  });

  test.each([
    ['desktop.env', 'stdio', '127.0.0.1', []],
    ['gateway.env', 'streamable-http', '127.0.0.1', []],
    // The port is published on loopback by whoever starts the container; the server cannot see that.
    [
      'container.env',
      'streamable-http',
      '0.0.0.0',
      ['warning: other machines can reach this server without authentication'],
    ],
  ])('%s loads without a remark but those that belong to it', (name, transport, host, remarks) => {
    const { gateway, notices } = load(name);
    expect(gateway).toMatchObject({ transport, host });
    expect(notices.map(({ level, event }) => `${level}: ${event}`)).toEqual([
      'info: settings read from .env in the working directory',
      ...remarks,
    ]);
  });

  test.each(names)('what is commented out in %s is valid as well', (name) => {
    const text = readFileSync(path.join(SAMPLES, name), 'utf8').replace(/^# (?=[A-Z_]+=)/gm, '');
    const loaded = loadConfig({}, { envFile: Buffer.from(text) });
    expect(loaded.ok ? [] : loaded.error.map(formatProblem)).toEqual([]);
    expect(loaded.ok && loaded.value.notices.filter(({ event }) => event === 'unknown variable ignored')).toEqual([]);
  });

  test.each(names)(
    '%s can be given to a container runtime, which knows neither quotes nor trailing comments',
    (name) => {
      const lines = readFileSync(path.join(SAMPLES, name), 'utf8').split('\n');
      expect(lines.filter((line) => !/^(?:#.*|[A-Z_]+=[^\s#'"]*|)$/.test(line))).toEqual([]);
    },
  );
});
