import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/config/index.js';

const FILE = { GOPHER_MCP_TENANTS_FILE: '/etc/gopher-mcp/tenants.json' };
const HTTP = { GOPHER_MCP_TRANSPORT: 'streamable-http' };
const KEYS = { GOPHER_MCP_AUTH: 'api-key', GOPHER_MCP_API_KEYS_FILE: '/etc/gopher-mcp/keys.json' };

test('a file of tenants needs callers who say who they are', () => {
  expect(loadConfig({ ...HTTP, ...FILE })).toMatchObject({
    ok: false,
    error: [{ name: 'GOPHER_MCP_TENANTS_FILE', requirement: expect.stringContaining('GOPHER_MCP_AUTH') }],
  });
  expect(loadConfig({ ...HTTP, ...FILE, ...KEYS })).toMatchObject({
    ok: true,
    value: { tenants: { tenantsFile: '/etc/gopher-mcp/tenants.json', sharedCache: false } },
  });
});

test('over stdio, where there is one user, the file does not matter', () => {
  expect(loadConfig(FILE)).toMatchObject({ ok: true });
});
