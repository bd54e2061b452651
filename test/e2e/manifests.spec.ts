/** Examples that other programs read, checked by tools made for that: Kubernetes manifests by its schemas, alerts by promtool. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { REPOSITORY } from '../support/server-under-test.js';

jest.setTimeout(60_000);

const run = promisify(execFile);
const MANIFESTS = path.join(REPOSITORY, 'config', 'kubernetes');
const CACHE =
  process.env['OPERATIONS_CACHE'] ??
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'gopher-mcp-operations');

// Not the kustomization: it is read by kubectl alone.
const names = readdirSync(MANIFESTS).filter((name) => name !== 'kustomization.yaml');

test.each(['1.29.0', '1.34.0'])(
  'the manifests fit the schemas of Kubernetes %s, without a member too many',
  async (version) => {
    const validate = path.join(CACHE, 'kubernetes-validate', 'bin', 'kubernetes-validate');
    const files = names.map((name) => path.join(MANIFESTS, name));
    const { stdout } = await run(validate, ['--strict', '-k', version, ...files]);
    expect(stdout.split('\n').filter((line) => / passed for /.test(line))).toHaveLength(names.length);
  },
);

test('the settings of Prometheus and the alerts are valid', async () => {
  const { stdout } = await run('promtool', ['check', 'config', path.join(REPOSITORY, 'config', 'prometheus.yml')]);
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});

test('the alerts fire when they should, and only then', async () => {
  const { stdout } = await run('promtool', [
    'test',
    'rules',
    path.join(REPOSITORY, 'test', 'operations', 'alerts.test.yml'),
  ]);
  expect(stdout).toContain('SUCCESS');
});
