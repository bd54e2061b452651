/** Whatever a tenant's rules, a caller's scopes and a request's own wish say: they leave out, and never bring in. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ListedHosts } from '../../src/auth/core/tenant-hosts.js';
import { SCOPES, type Principal, type Scope } from '../../src/common/principal.js';
import type { TenantRules } from '../../src/common/tenant-rules.js';
import { ScopeGuard } from '../../src/mcp/scope-guard.js';
import {
  offeredTools,
  servedTools,
  visibleTools,
  type ToolSelection,
  type Viewer,
} from '../../src/mcp/served-tools.js';
import { TEMPLATE_TABLE } from '../../src/mcp/template-table.js';
import { TOOL_TABLE } from '../../src/mcp/tool-table.js';
import { HostPolicy } from '../../src/safety/index.js';

const NAMES = TOOL_TABLE.map(({ name }) => name);
const NO_LIMITS = { requestsPerMinute: null, concurrent: null };

const scopes = fc.subarray<Scope>([...SCOPES]).map((list): ReadonlySet<Scope> => new Set(list));
const toolNames = fc.subarray([...NAMES, 'web_fetch']);
const selection: fc.Arbitrary<ToolSelection> = fc.record({
  tools: fc.option(toolNames),
  readOnly: fc.boolean(),
});
const host = fc.constantFrom('a.test', 'b.test', 'x.a.test', 'y.x.a.test', '192.0.2.1');
const hostList = fc.option(fc.array(fc.constantFrom('a.test', 'b.test', '.a.test', '.test', '192.0.2.1')));
const hosts = fc.tuple(hostList, hostList).map(([allowed, denied]) => new ListedHosts(allowed, denied));
const rules: fc.Arbitrary<TenantRules> = fc.record({
  scopes,
  tools: fc.option(toolNames.map((list) => new Set(list))),
  hosts: hosts.map((gemini) => new Map([['gemini', gemini]])),
  quotas: fc.constant({ tenant: NO_LIMITS, subject: NO_LIMITS }),
});
const principal: fc.Arbitrary<Principal> = fc.tuple(scopes, fc.option(rules)).map(([own, tenantRules]) => ({
  tenant: 'acme',
  subject: 'ann',
  scopes: own,
  ...(tenantRules === null ? {} : { rules: tenantRules }),
}));
const viewer: fc.Arbitrary<Viewer> = fc.record({
  principal,
  narrowing: fc.option(selection, { nil: undefined }),
});

test('visible tools are offered, offered ones are served, served ones stand in the table, in its order', () => {
  fc.assert(
    fc.property(selection, viewer, (operator, one) => {
      const served = servedTools(TOOL_TABLE, operator);
      const offered = offeredTools(served, one);
      const visible = visibleTools(served, one);
      expect(TOOL_TABLE.filter((tool) => served.includes(tool))).toEqual(served);
      expect(served.filter((tool) => offered.includes(tool))).toEqual(offered);
      expect(offered.filter((tool) => visible.includes(tool))).toEqual(visible);
    }),
  );
});

test('a visible tool is allowed by each of the scopes, the tenant and the wish', () => {
  fc.assert(
    fc.property(viewer, (one) => {
      const { principal: caller, narrowing } = one;
      for (const { name, scope, annotations } of visibleTools(TOOL_TABLE, one)) {
        expect(caller.scopes.has(scope)).toBe(true);
        expect(caller.rules?.scopes.has(scope) ?? true).toBe(true);
        expect(caller.rules?.tools?.has(name) ?? true).toBe(true);
        expect(narrowing?.tools?.includes(name) ?? true).toBe(true);
        expect(narrowing?.readOnly === true && !annotations.readOnlyHint).toBe(false);
      }
    }),
  );
});

test('what is taken from a caller leaves it with less', () => {
  fc.assert(
    fc.property(viewer, scopes, (one, others) => {
      const fewer = new Set([...one.principal.scopes].filter((scope) => others.has(scope)));
      const less = visibleTools(TOOL_TABLE, { ...one, principal: { ...one.principal, scopes: fewer } });
      expect(visibleTools(TOOL_TABLE, one)).toEqual(expect.arrayContaining([...less]));
    }),
  );
});

test('a tool is visible, lacks a scope, or is unknown', () => {
  const guard = new ScopeGuard(TOOL_TABLE, TEMPLATE_TABLE);
  fc.assert(
    fc.property(viewer, (one) => {
      const visible = visibleTools(TOOL_TABLE, one);
      const offered = offeredTools(TOOL_TABLE, one);
      for (const tool of TOOL_TABLE) {
        const missing = guard.missing([{ method: 'tools/call', params: { name: tool.name } }], one);
        const isAskedFor = offered.includes(tool) && !visible.includes(tool);
        expect(missing).toEqual(isAskedFor ? [tool.scope] : []);
      }
    }),
  );
});

test('no tenant contacts a host that the deployment refuses, and none that is denied', () => {
  fc.assert(
    fc.property(hostList, hosts, host, (deployment, tenant, asked) => {
      const policy = new HostPolicy({ allowedHosts: deployment, variablePrefix: 'X_' });
      const refusal = policy.check(asked) ?? tenant.check(asked);
      if (policy.check(asked) !== null) expect(refusal).not.toBeNull();
      if (new ListedHosts(null, tenant.denied).check(asked) !== null) expect(refusal).not.toBeNull();
      if (refusal === null) expect(new ListedHosts(tenant.allowed, null).check(asked)).toBeNull();
    }),
  );
});
