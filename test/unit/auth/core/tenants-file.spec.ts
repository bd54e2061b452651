import { describe, expect, test } from '@jest/globals';
import { parseTenants, type TenantTable, type TenantTerms } from '../../../../src/auth/core/tenants-file.js';
import { SCOPES } from '../../../../src/common/scope.js';
import { parseAllowedHost } from '../../../../src/config/index.js';

const TERMS: TenantTerms = {
  protocols: ['gopher', 'gemini'],
  toolNames: ['gopher_fetch', 'gemini_fetch'],
  parseHost: parseAllowedHost,
};

function tableOf(file: unknown): TenantTable {
  const table = parseTenants(JSON.stringify(file), TERMS);
  if (!table.ok) throw new Error(JSON.stringify(table.error));
  return table.value;
}

function problemsOf(text: string): readonly string[] {
  const table = parseTenants(text, TERMS);
  return table.ok ? [] : table.error.map(({ field, requirement }) => `${field}: ${requirement}`);
}

describe('a file of tenants', () => {
  test('says what each may use', () => {
    const quotas = {
      tenant: { requests_per_minute: 600, concurrent: 20 },
      subject: { requests_per_minute: 60 },
    };
    const hosts = { gemini: { allowed: ['.Example.org', 'a.test'], denied: ['b.example.org'] } };
    const { tenants, others } = tableOf({
      tenants: { acme: { scopes: ['smallweb:identity', 'smallweb:read'], tools: ['gemini_fetch'], hosts, quotas } },
    });
    const acme = tenants.get('acme');
    expect([...(acme?.scopes ?? [])]).toEqual(['smallweb:read', 'smallweb:identity']);
    expect([...(acme?.tools ?? [])]).toEqual(['gemini_fetch']);
    expect(acme?.quotas).toEqual({
      tenant: { requestsPerMinute: 600, concurrent: 20 },
      subject: { requestsPerMinute: 60, concurrent: null },
    });
    const gemini = acme?.hosts.get('gemini');
    expect(gemini).toMatchObject({ allowed: ['.example.org', 'a.test'], denied: ['b.example.org'] });
    const allowed = ['a.test', 'x.example.org', 'example.org', 'b.example.org', 'c.test'].filter(
      (host) => gemini?.check(host) === null,
    );
    expect(allowed).toEqual(['a.test', 'x.example.org']);
    expect(gemini?.check('c.test')).toMatchObject({ code: 'INVALID_REQUEST', facts: { reason: 'host_not_allowed' } });
    expect(acme?.hosts.get('gopher')).toBeUndefined();
    expect(others).toBeNull();
  });

  test('leaves what a tenant does not mention to the deployment', () => {
    const NONE = { requestsPerMinute: null, concurrent: null };
    for (const rules of [tableOf({ tenants: { a: {} } }).tenants.get('a'), tableOf({ others: {} }).others]) {
      expect(rules).toEqual({
        scopes: new Set(SCOPES),
        tools: null,
        hosts: new Map(),
        quotas: { tenant: NONE, subject: NONE },
      });
    }
  });

  test('takes an empty list at its word', () => {
    const rules = tableOf({ others: { scopes: [], tools: [], hosts: { gopher: { allowed: [] }, gemini: {} } } }).others;
    expect([rules?.scopes.size, rules?.tools?.size]).toEqual([0, 0]);
    expect(rules?.hosts.get('gopher')?.check('a.test')).not.toBeNull();
    expect(rules?.hosts.get('gemini')?.check('a.test')).toBeNull();
  });

  test('without tenants serves none', () => {
    expect(tableOf({})).toEqual({ tenants: new Map(), others: null });
  });

  test.each<[string, string, string[]]>([
    ['no JSON', '{', [': must be a JSON object']],
    ['a list', '[]', [': must be a JSON object']],
    ['an unknown member', '{"tenant":{}}', ['tenant: must be one of tenants, others']],
    ['tenants as a list', '{"tenants":[]}', ['tenants: must be a JSON object']],
    ['no tenant', '{"tenants":{"a":null}}', ['tenants.a: must be a JSON object']],
    [
      'a name that would be a path',
      '{"tenants":{"../a":{}}}',
      ['tenants.../a: must be named by 1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first'],
    ],
    [
      'a misspelt restriction',
      '{"tenants":{"a":{"host":{}}}}',
      ['tenants.a.host: must be one of scopes, tools, hosts, quotas'],
    ],
    [
      'an unknown scope',
      '{"tenants":{"a":{"scopes":["smallweb:read","admin"]}}}',
      [
        'tenants.a.scopes: must be a list of smallweb:read, smallweb:trust, smallweb:identity ("admin" is not one of them)',
      ],
    ],
    [
      'a text for a list',
      '{"others":{"tools":"gemini_fetch"}}',
      ['others.tools: must be a list of gopher_fetch, gemini_fetch'],
    ],
    [
      'an unknown protocol',
      '{"others":{"hosts":{"finger":{}}}}',
      ['others.hosts.finger: must be one of gopher, gemini'],
    ],
    [
      'a URL for a host, a number, and an unknown list',
      '{"others":{"hosts":{"gemini":{"allowed":["gemini://a.test/",7],"allow":[]}}}}',
      [
        'others.hosts.gemini.allow: must be one of allowed, denied',
        'others.hosts.gemini.allowed: must be a list of host names, addresses, or .domain ("gemini://a.test/" is not a host: leave out the scheme and the path; 7 is no text)',
      ],
    ],
    [
      'quotas out of bounds',
      '{"tenants":{"a":{"quotas":{"tenant":{"concurrent":0,"requests_per_minute":1.5},"subject":{"perMinute":1},"all":1}}}}',
      [
        'tenants.a.quotas.all: must be one of tenant, subject',
        'tenants.a.quotas.tenant.requests_per_minute: must be a whole number from 1 to 1000000',
        'tenants.a.quotas.tenant.concurrent: must be a whole number from 1 to 1000000',
        'tenants.a.quotas.subject.perMinute: must be one of requests_per_minute, concurrent',
      ],
    ],
    [
      'several tenants at once',
      '{"tenants":{"a":{"tools":[1]},"b":{"quotas":[]}}}',
      [
        'tenants.a.tools: must be a list of gopher_fetch, gemini_fetch (1 is no text)',
        'tenants.b.quotas: must be a JSON object',
      ],
    ],
    [
      'a member called __proto__',
      '{"tenants":{"__proto__":{}}}',
      [expect.stringContaining('tenants.__proto__') as never],
    ],
  ])('with %s says so', (_name, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});
