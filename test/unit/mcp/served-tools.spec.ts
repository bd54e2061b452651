/** What each tool needs, and which tools a caller sees for every set of scopes. */
import { describe, expect, test } from '@jest/globals';
import { LOCAL_PRINCIPAL, SCOPES, type Principal, type Scope } from '../../../src/common/principal.js';
import type { TenantRules } from '../../../src/common/tenant-rules.js';
import { ScopeGuard } from '../../../src/mcp/scope-guard.js';
import { isPersonal, missingScope, offeredTools, visibleTools } from '../../../src/mcp/served-tools.js';
import { TEMPLATE_TABLE } from '../../../src/mcp/template-table.js';
import { TOOL_TABLE } from '../../../src/mcp/tool-table.js';
import type { Tool } from '../../../src/mcp/tool.js';

const NEEDS: Readonly<Record<string, Scope>> = {
  gopher_fetch: 'smallweb:read',
  gemini_fetch: 'smallweb:read',
  gopher_batch_fetch: 'smallweb:read',
  gemini_batch_fetch: 'smallweb:read',
  gemini_trust_list: 'smallweb:trust',
  gemini_trust_update: 'smallweb:trust',
  gemini_client_cert_list: 'smallweb:identity',
  gemini_client_cert_update: 'smallweb:identity',
};

const SUBSETS: readonly (readonly Scope[])[] = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, bit) => (bits >> bit) % 2 === 1),
);

const NO_LIMITS = { requestsPerMinute: null, concurrent: null };

function rules(over: Partial<TenantRules> = {}): TenantRules {
  return {
    scopes: new Set(SCOPES),
    tools: null,
    hosts: new Map(),
    quotas: { tenant: NO_LIMITS, subject: NO_LIMITS },
    ...over,
  };
}

function principal(scopes: readonly Scope[], tenantRules?: TenantRules): Principal {
  return { tenant: 'acme', subject: 'ann', scopes: new Set(scopes), ...(tenantRules && { rules: tenantRules }) };
}

function viewer(scopes: readonly Scope[], tenantRules?: TenantRules) {
  return { principal: principal(scopes, tenantRules), narrowing: undefined };
}

const names = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

const guard = new ScopeGuard(TOOL_TABLE, TEMPLATE_TABLE);
const call = (name: unknown) => ({ method: 'tools/call', params: { name } });
const read = (uri: unknown) => ({ method: 'resources/read', params: { uri } });

describe('scopes', () => {
  test('each tool says which one it needs', () => {
    expect(Object.fromEntries(TOOL_TABLE.map(({ name, scope }) => [name, scope]))).toEqual(NEEDS);
  });

  test.each(SUBSETS.map((scopes): [string, readonly Scope[]] => [scopes.join(' ') || 'none', scopes]))(
    'with %s the tools are visible that need no more, and the others lack exactly theirs',
    (_name, scopes) => {
      const visible = visibleTools(TOOL_TABLE, viewer(scopes));
      expect(names(visible)).toEqual(Object.keys(NEEDS).filter((name) => scopes.includes(NEEDS[name]!)));
      for (const tool of TOOL_TABLE) {
        const missing = visible.includes(tool) ? [] : [tool.scope];
        expect(missingScope(tool, principal(scopes))).toBe(missing[0] ?? null);
        expect(guard.missing([call(tool.name)], viewer(scopes))).toEqual(missing);
      }
    },
  );

  test('of a page is that of the tool that fetches it', () => {
    expect(guard.missing([read('gemini://a.example/'), read('GOPHER://a.example/')], viewer([]))).toEqual([
      'smallweb:read',
    ]);
    expect(guard.missing([read('gemini://a.example/')], viewer(['smallweb:read']))).toEqual([]);
  });

  test('of several requests are named once each', () => {
    const requests = [call('gemini_trust_list'), call('gemini_fetch'), call('gemini_trust_update')];
    expect(guard.missing(requests, viewer([]))).toEqual(['smallweb:trust', 'smallweb:read']);
    expect(guard.missing(requests, viewer(['smallweb:read']))).toEqual(['smallweb:trust']);
  });

  test.each([
    ['a tool that is not there', call('web_fetch')],
    ['a name that is none', call(7)],
    ['no parameters', { method: 'tools/call' }],
    ['the policy', read('gopher-mcp://policy')],
    ['a page of no protocol', read('https://a.example/')],
    ['another method', { method: 'tools/list', params: { name: 'gemini_fetch' } }],
  ])('%s lacks none', (_name, request) => {
    expect(guard.missing([request], viewer([]))).toEqual([]);
  });
});

describe('tools that a caller is not offered', () => {
  test.each([
    ['its tenant cannot have the scope', rules({ scopes: new Set(['smallweb:read']) })],
    ['its tenant may not use the tool', rules({ tools: new Set(['gemini_fetch']) })],
  ])('lack no scope when %s: they are unknown', (_name, tenantRules) => {
    expect(guard.missing([call('gemini_trust_update')], viewer(['smallweb:read'], tenantRules))).toEqual([]);
    expect(names(visibleTools(TOOL_TABLE, viewer(SCOPES, tenantRules)))).not.toContain('gemini_trust_update');
    expect(names(offeredTools(TOOL_TABLE, viewer(SCOPES, tenantRules)))).toContain('gemini_fetch');
  });

  test('lack no scope when the request itself leaves them out', () => {
    const narrowing = { tools: ['gopher_fetch'], readOnly: false };
    expect(guard.missing([call('gemini_fetch')], { principal: principal([]), narrowing })).toEqual([]);
    expect(guard.missing([call('gopher_fetch')], { principal: principal([]), narrowing })).toEqual(['smallweb:read']);
  });

  test('are not brought in by a guard over fewer tools', () => {
    const fewer = new ScopeGuard(
      TOOL_TABLE.filter(({ name }) => name === 'gopher_fetch'),
      TEMPLATE_TABLE,
    );
    expect(fewer.missing([call('gemini_fetch'), read('gemini://a.example/')], viewer([]))).toEqual([]);
  });
});

describe('the user of this machine', () => {
  test('sees the very list that is served, and nothing of it is personal', () => {
    const local = { principal: LOCAL_PRINCIPAL, narrowing: undefined };
    expect(visibleTools(TOOL_TABLE, local)).toBe(TOOL_TABLE);
    expect(isPersonal(local)).toBe(false);
  });

  test('somebody who said who they are sees a personal list, even of everything', () => {
    expect(visibleTools(TOOL_TABLE, viewer(SCOPES))).toBe(TOOL_TABLE);
    expect(isPersonal(viewer(SCOPES))).toBe(true);
    expect(isPersonal({ principal: LOCAL_PRINCIPAL, narrowing: { tools: null, readOnly: true } })).toBe(true);
  });
});
