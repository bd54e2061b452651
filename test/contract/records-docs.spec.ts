/** What docs/operations.md says of audit and traces can be copied as it stands. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { callLine } from '../../src/audit/core/audit-line.js';
import { LOCAL_PRINCIPAL } from '../../src/common/principal.js';
import { ok } from '../../src/common/result.js';
import { loadConfig } from '../../src/config/index.js';
import { knownVariables } from '../../src/config/sections.js';
import { METRICS } from '../../src/observability/metric-table.js';
import { REPOSITORY } from '../support/server-under-test.js';

const page = readFileSync(path.join(REPOSITORY, 'docs', 'operations.md'), 'utf8');

function chapter(title: string): string {
  const [, text = ''] = page.split(`\n## ${title}\n`);
  return text.split('\n## ')[0] ?? '';
}

function block(text: string, language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(text)?.[1] ?? '';
}

describe('the chapter on the audit', () => {
  const audit = chapter('Audit');

  test('has settings that the server takes, without a remark', () => {
    const envFile = Buffer.from(block(audit, 'env'));
    const loaded = loadConfig({}, { envFile, readSecretFile: () => ok(Buffer.from('ab'.repeat(32))) });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    expect(loaded.value.audit).toMatchObject({ auditChain: true, auditKey: 'ab'.repeat(32) });
    expect(loaded.value.audit.auditFile).toBe('/var/log/gopher-mcp/audit.jsonl');
    expect(loaded.value.notices.map(({ level }) => level)).toEqual(['info']);
  });

  test('shows a line as it is written', () => {
    const call = {
      method: 'tools/call',
      principal: LOCAL_PRINCIPAL,
      origin: { address: undefined, requestId: undefined },
      client: undefined,
      session: undefined,
      revision: undefined,
      rpcId: 1,
      trace: undefined,
      tool: null,
      isKnownTool: false,
      targets: [],
      targetCount: 0,
    } as const;
    const end = { outcome: 'ok', code: undefined, bytes: 0, failedItems: 0 } as const;
    const line: object = JSON.parse(callLine({ call, end, session: null, durationMs: 0 }, 0));
    const shown: object = JSON.parse(block(audit, 'json'));
    expect(Object.keys(shown)).toEqual(Object.keys(line));
  });

  test('names metrics that there are', () => {
    const names: readonly string[] = Object.values(METRICS).map(({ name }) => name);
    const named = [...audit.matchAll(/gopher_mcp_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(1);
    for (const name of named) expect(names).toContain(name);
  });
});

test('the chapter on traces installs what config/tracing.mjs imports', () => {
  const sdk = readFileSync(path.join(REPOSITORY, 'config', 'tracing.mjs'), 'utf8');
  const imported = [...sdk.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  const install = block(chapter('Traces and logs'), 'sh').split('\n')[0] ?? '';
  expect(install.split(' ').slice(2).sort()).toEqual(imported.sort());
});

describe('docs/security.md', () => {
  const security = readFileSync(path.join(REPOSITORY, 'docs', 'security.md'), 'utf8');

  test('names variables that exist', () => {
    const named = new Set(security.match(/\b(?:GOPHER|GEMINI)_[A-Z_]+\b/g));
    expect([...named].filter((name) => !knownVariables().includes(name))).toEqual([]);
  });

  test('leads to files that exist', () => {
    const links = [...security.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) =>
      path.join(REPOSITORY, 'docs', target),
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((file) => !existsSync(file))).toEqual([]);
  });
});
