import { beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { TenantProblem } from '../../../src/auth/core/tenants-file.js';
import { TenantAuthenticator } from '../../../src/auth/tenant-authenticator.js';
import { Tenants, TENANTS_LOOK_EVERY_MS } from '../../../src/auth/tenants.js';
import { SCOPES, type Principal } from '../../../src/common/principal.js';
import { err, ok, type Result } from '../../../src/common/result.js';
import { parseAllowedHost } from '../../../src/config/index.js';
import { TEMPLATE_TABLE } from '../../../src/mcp/template-table.js';
import { TOOL_TABLE } from '../../../src/mcp/tool-table.js';
import { FakeClock } from '../../support/fake-clock.js';

let clock: FakeClock;
let text: Result<string, string>;
let reads: number;
let warnings: TenantProblem[][];

beforeEach(() => {
  clock = new FakeClock();
  reads = 0;
  warnings = [];
});

async function open(file: unknown): Promise<Tenants> {
  text = ok(JSON.stringify(file));
  const tenants = await Tenants.open({
    source: {
      read: async () => {
        reads++;
        return text;
      },
    },
    terms: {
      protocols: TEMPLATE_TABLE.map(({ scheme }) => scheme),
      toolNames: TOOL_TABLE.map(({ name }) => name),
      parseHost: parseAllowedHost,
    },
    clock,
    warn: (problems) => warnings.push([...problems]),
  });
  if (!tenants.ok) throw new Error(JSON.stringify(tenants.error));
  return tenants.value;
}

function ann(tenant = 'acme'): Principal {
  return { tenant, subject: 'ann', scopes: new Set(SCOPES) };
}

async function scopesOf(tenants: Tenants, principal: Principal): Promise<readonly string[] | string> {
  const admitted = await tenants.admit(principal);
  return admitted.ok ? [...admitted.value.scopes] : admitted.error.kind;
}

const READ = { scopes: ['smallweb:read'] };

describe('a principal', () => {
  test('gets the rules of its tenant, and keeps no scope beyond them', async () => {
    const tenants = await open({ tenants: { acme: { ...READ, tools: ['gemini_fetch'] } } });
    const admitted = await tenants.admit(ann());
    expect(admitted).toMatchObject({
      ok: true,
      value: { tenant: 'acme', subject: 'ann', scopes: new Set(READ.scopes) },
    });
    expect(admitted.ok && admitted.value.rules?.tools).toEqual(new Set(['gemini_fetch']));
  });

  test('gets no scope that its credential does not give', async () => {
    const tenants = await open({ tenants: { acme: {} } });
    expect(await scopesOf(tenants, { ...ann(), scopes: new Set(['smallweb:trust']) })).toEqual(['smallweb:trust']);
  });

  test('of a tenant that is not named is refused, but where the file says something of the others', async () => {
    expect(await scopesOf(await open({ tenants: { acme: {} } }), ann('globex'))).toBe('forbidden');
    expect(await scopesOf(await open({ tenants: { acme: {} } }), ann('Acme'))).toBe('forbidden');
    expect(await scopesOf(await open({ tenants: { acme: {} }, others: READ }), ann('globex'))).toEqual(READ.scopes);
    expect(await scopesOf(await open({}), ann('toString'))).toBe('forbidden');
  });

  test('that comes again is the same one', async () => {
    const tenants = await open({ others: {} });
    const principal = ann();
    const [one, other] = [await tenants.admit(principal), await tenants.admit(principal)];
    expect(one.ok && other.ok && one.value === other.value).toBe(true);
  });
});

describe('a change of the file', () => {
  test('counts within a second, and costs a look in a second at most', async () => {
    const tenants = await open({ others: {} });
    const principal = ann();
    await tenants.admit(principal);
    text = ok(JSON.stringify({ others: READ }));
    expect(await scopesOf(tenants, principal)).toEqual([...SCOPES]);
    expect(reads).toBe(1);
    clock.advance(TENANTS_LOOK_EVERY_MS);
    expect(await Promise.all([scopesOf(tenants, principal), scopesOf(tenants, principal)])).toEqual([
      READ.scopes,
      READ.scopes,
    ]);
    expect(reads).toBe(2);
  });

  test.each<[string, Result<string, string>, string]>([
    ['cannot be read', err('ENOENT'), 'must name a file that can be read (ENOENT)'],
    ['is no JSON', ok('{'), 'must be a JSON object'],
  ])('that %s is told once, and the rules before it still count', async (_name, change, requirement) => {
    const tenants = await open({ others: READ });
    text = change;
    for (let i = 0; i < 3; i++) {
      clock.advance(TENANTS_LOOK_EVERY_MS);
      expect(await scopesOf(tenants, ann())).toEqual(READ.scopes);
    }
    expect(warnings).toEqual([[{ field: '', requirement }]]);
    text = ok(JSON.stringify({ tenants: {} }));
    clock.advance(TENANTS_LOOK_EVERY_MS);
    expect(await scopesOf(tenants, ann())).toBe('forbidden');
  });
});

test('what cannot be read at the start is a problem of the file as a whole', async () => {
  const terms = { protocols: [], toolNames: [], parseHost: parseAllowedHost };
  const source = { read: async () => err('EACCES') };
  expect(await Tenants.open({ source, terms, clock, warn: () => undefined })).toEqual({
    ok: false,
    error: [{ field: '', requirement: 'must name a file that can be read (EACCES)' }],
  });
});

test('whom the credential does not name is not asked for a tenant', async () => {
  const refusal = { kind: 'invalid' as const, message: 'no' };
  const never = { admit: () => Promise.reject(new Error('asked')) };
  const authenticator = new TenantAuthenticator({ authenticate: async () => err(refusal) }, never);
  expect(await authenticator.authenticate({ kind: 'token', text: 'x' })).toEqual(err(refusal));
});

test('the example file is one', async () => {
  const example: unknown = JSON.parse(readFileSync('config/tenants.example.json', 'utf8'));
  const tenants = await open(example);
  expect(await scopesOf(tenants, ann('library'))).toEqual(['smallweb:read']);
  expect(await scopesOf(tenants, ann('operations'))).toEqual([...SCOPES]);
});
