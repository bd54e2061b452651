import { describe, expect, test } from '@jest/globals';
import { loadConfig, resourceUrl, type Config } from '../../../src/config/index.js';

const HTTP = { GOPHER_MCP_TRANSPORT: 'streamable-http' };
const JWT = {
  ...HTTP,
  GOPHER_MCP_AUTH: 'jwt',
  GOPHER_MCP_JWT_ISSUER: 'https://issuer.example',
  GOPHER_MCP_JWT_AUDIENCE: 'https://gw.example/mcp',
  GOPHER_MCP_JWT_JWKS_URL: 'https://issuer.example/jwks',
};

const problemsOf = (env: Record<string, string>): string[] => {
  const loaded = loadConfig(env);
  return loaded.ok ? [] : loaded.error.map(({ name }) => name);
};

function load(env: Record<string, string>): Config {
  const loaded = loadConfig(env);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

describe('a server whose callers are asked who they are', () => {
  test.each<[string, Record<string, string>]>([
    ['tokens', JWT],
    [
      'tokens for the public URL',
      { ...JWT, GOPHER_MCP_JWT_AUDIENCE: '', GOPHER_MCP_PUBLIC_URL: 'https://gw.example/mcp' },
    ],
    ['keys', { ...HTTP, GOPHER_MCP_AUTH: 'API-KEY', GOPHER_MCP_API_KEYS_FILE: '/k.json' }],
    [
      'both',
      { ...JWT, GOPHER_MCP_AUTH: 'jwt, api-key', GOPHER_MCP_API_KEYS_FILE: '/k.json', GOPHER_MCP_REQUIRE_AUTH: '1' },
    ],
    ['an issuer on loopback', { ...JWT, GOPHER_MCP_JWT_JWKS_URL: 'http://127.0.0.1:9000/jwks' }],
  ])('starts with %s', (_name, env) => {
    expect(problemsOf(env)).toEqual([]);
  });

  test.each<[string, string[], Record<string, string>]>([
    ['keys without a file', ['GOPHER_MCP_API_KEYS_FILE'], { ...HTTP, GOPHER_MCP_AUTH: 'api-key' }],
    [
      'tokens without anything',
      ['GOPHER_MCP_JWT_ISSUER', 'GOPHER_MCP_JWT_AUDIENCE', 'GOPHER_MCP_JWT_JWKS_URL'],
      { ...HTTP, GOPHER_MCP_AUTH: 'jwt' },
    ],
    ['an audience that is no URL, alone', ['GOPHER_MCP_PUBLIC_URL'], { ...JWT, GOPHER_MCP_JWT_AUDIENCE: 'smallweb' }],
    ['none beside another way', ['GOPHER_MCP_AUTH'], { ...JWT, GOPHER_MCP_AUTH: 'none,jwt' }],
    ['no way at all', ['GOPHER_MCP_AUTH'], { ...HTTP, GOPHER_MCP_AUTH: '[]' }],
    ['an unknown way', ['GOPHER_MCP_AUTH'], { ...HTTP, GOPHER_MCP_AUTH: 'basic' }],
    ['no algorithm', ['GOPHER_MCP_JWT_ALGORITHMS'], { ...JWT, GOPHER_MCP_JWT_ALGORITHMS: '[]' }],
    ['the algorithm none', ['GOPHER_MCP_JWT_ALGORITHMS'], { ...JWT, GOPHER_MCP_JWT_ALGORITHMS: 'RS256,none' }],
    ['a shared secret', ['GOPHER_MCP_JWT_ALGORITHMS'], { ...JWT, GOPHER_MCP_JWT_ALGORITHMS: 'HS256' }],
    [
      'keys over plain HTTP',
      ['GOPHER_MCP_JWT_JWKS_URL'],
      { ...JWT, GOPHER_MCP_JWT_JWKS_URL: 'http://issuer.example/jwks' },
    ],
    ['keys in a file', ['GOPHER_MCP_JWT_JWKS_URL'], { ...JWT, GOPHER_MCP_JWT_JWKS_URL: 'file:///etc/jwks' }],
    [
      'an issuer with a user',
      ['GOPHER_MCP_JWT_ISSUER'],
      { ...JWT, GOPHER_MCP_JWT_ISSUER: 'https://a:b@issuer.example' },
    ],
    ['a quote in its URL', ['GOPHER_MCP_PUBLIC_URL'], { ...JWT, GOPHER_MCP_PUBLIC_URL: 'https://gw.example/"x' }],
    ['a fragment in its URL', ['GOPHER_MCP_PUBLIC_URL'], { ...JWT, GOPHER_MCP_PUBLIC_URL: 'https://gw.example/#x' }],
  ])('does not start with %s', (_name, names, env) => {
    expect(problemsOf(env)).toEqual(names);
  });

  test('is told by its public URL, else by its first audience that is one', () => {
    expect(resourceUrl(load({ ...JWT, GOPHER_MCP_JWT_AUDIENCE: 'smallweb,https://b.example/mcp' }).auth)).toBe(
      'https://b.example/mcp',
    );
    expect(resourceUrl(load({ ...JWT, GOPHER_MCP_PUBLIC_URL: 'https://c.example/mcp' }).auth)).toBe(
      'https://c.example/mcp',
    );
  });
});

describe('a server that must never be open', () => {
  const REQUIRED = { GOPHER_MCP_REQUIRE_AUTH: 'true' };

  test.each(['127.0.0.1', '0.0.0.0', 'gw.example'])('does not start on %s while nobody is asked', (host) => {
    expect(problemsOf({ ...HTTP, ...REQUIRED, GOPHER_MCP_HOST: host })).toEqual(['GOPHER_MCP_AUTH']);
  });

  test('starts over stdio, where there is nobody to ask', () => {
    expect(problemsOf(REQUIRED)).toEqual([]);
  });
});

describe('notices', () => {
  const events = (env: Record<string, string>): string[] => load(env).notices.map(({ event }) => event);

  test('tell of a server that is open to others, but not of one that asks', () => {
    const event = 'other machines can reach this server without authentication';
    expect(events({ ...HTTP, GOPHER_MCP_HOST: '0.0.0.0' })).toContain(event);
    expect(events({ ...JWT, GOPHER_MCP_HOST: '0.0.0.0' })).not.toContain(event);
  });

  test('tell that nobody is asked over stdio', () => {
    expect(events({ ...JWT, GOPHER_MCP_TRANSPORT: 'stdio' })).toContain('no authentication over stdio');
  });
});
