import { describe, expect, test } from '@jest/globals';
import { policyFields, printConfig } from '../../../src/config/describe-config.js';
import { loadConfig, type Config } from '../../../src/config/load-config.js';

function load(environment: Record<string, string>, envFile?: string): Config {
  const loaded = loadConfig(environment, envFile === undefined ? {} : { envFile: Buffer.from(envFile) });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

const EVERY_KIND = {
  GOPHER_MAX_RESPONSE_SIZE: '2_048',
  GOPHER_TIMEOUT_SECONDS: '0.5',
  GOPHER_CACHE_TTL_SECONDS: '0',
  GOPHER_ALLOWED_HOSTS: 'bücher.example,.sub.example,[::1]',
  GEMINI_ALLOWED_PORTS: '1965,1966',
  GEMINI_DENIED_NETWORKS: '10.0.0.0/8',
  GEMINI_TOFU_STORAGE_PATH: `/a "b" # c/it's.json`,
  GEMINI_TOFU_RENEWAL: 'expired',
  GEMINI_DENIED_MIME_TYPES: 'image/*',
  GOPHER_MCP_LOG_LEVEL: 'debug',
  GOPHER_MCP_LOG_FILE_PATH: '/tmp/log file.txt',
  GOPHER_MCP_ALLOWED_HOSTS: 'a.example:80,[::1]',
};

describe('printing the settings in effect', () => {
  test.each([
    ['nothing set', {}],
    ['every kind set', EVERY_KIND],
  ])('what is printed is a .env file that gives the same settings: %s', (_, environment) => {
    const config = load(environment);
    const again = load({}, printConfig(config));
    const { gopher, gemini, server, gateway } = again;
    expect({ gopher, gemini, server, gateway }).toEqual({
      gopher: config.gopher,
      gemini: config.gemini,
      server: config.server,
      gateway: config.gateway,
    });
  });

  test('unset settings are comments, values are as they count', () => {
    const lines = printConfig(load({ GOPHER_CACHE_TTL_SECONDS: '0' })).split('\n');
    expect(lines).toContain('GOPHER_CACHE_ENABLED=false');
    expect(lines).toContain('# GOPHER_ALLOWED_HOSTS is not set');
    expect(lines.filter((line) => line.startsWith('# ') && !line.endsWith('not set'))).toEqual([
      '# Gopher',
      '# Gemini',
      '# Server',
      '# Transport',
      '# Authentication',
      '# Tenants',
      '# Limits',
      '# Edge',
      '# Audit',
      '# State',
      '# Redis',
    ]);
  });

  test('a value cannot make a line of its own', () => {
    const text = printConfig(load({ GEMINI_TOFU_STORAGE_PATH: '/a\nGEMINI_TOFU_ENABLED=false\u001b[2K' }));
    expect(text).toContain(String.raw`/a\u000aGEMINI_TOFU_ENABLED=false\u001b[2K`);
  });
});

describe('fields of the policy resource', () => {
  const SHARED = [
    'allow_local_hosts',
    'allowed_hosts',
    'allowed_ports',
    'cache_enabled',
    'cache_ttl_seconds',
    'max_cache_entries',
    'max_concurrent_requests',
    'max_rendered_chars',
    'max_response_size',
    'requests_per_minute',
    'respect_robots_txt',
    'robots_cache_ttl_seconds',
    'robots_failure_backoff_seconds',
    'robots_honor_ai_tokens',
    'timeout_seconds',
  ];
  const ADDED = ['allowed_networks', 'denied_networks', 'max_wait_seconds'];

  test.each([
    ['gopher', [...SHARED, ...ADDED, 'max_menu_items', 'max_search_length', 'max_selector_length']],
    [
      'gemini',
      [
        ...SHARED,
        ...ADDED,
        'client_certs_enabled',
        'client_certs_storage_path',
        'denied_mime_types',
        'tofu_enabled',
        'tofu_reject_expired',
        'tofu_renewal',
        'tofu_storage_path',
      ],
    ],
  ] as const)('%s lists every setting, sorted by name', (protocol, names) => {
    expect(policyFields(load({})[protocol]).map(({ name }) => name)).toEqual([...names].sort());
  });

  test('values are as they count, literals are JSON', () => {
    const fields = policyFields(load(EVERY_KIND).gopher);
    const literals = Object.fromEntries(fields.map(({ name, literal }) => [name, literal]));
    expect(literals).toMatchObject({
      allowed_hosts: '["xn--bcher-kva.example", ".sub.example", "::1"]',
      allowed_ports: 'null',
      cache_enabled: 'false',
      timeout_seconds: '0.5',
      respect_robots_txt: 'true',
    });
  });

  test('a path shows only whether it is set', () => {
    const fields = policyFields(load(EVERY_KIND).gemini).filter(({ name }) => name.endsWith('_path'));
    expect(fields).toEqual([
      { name: 'client_certs_storage_path', value: '<default>', literal: '"<default>"' },
      { name: 'tofu_storage_path', value: '<configured>', literal: '"<configured>"' },
    ]);
  });
});
