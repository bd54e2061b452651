/**
 * `npm test`: installs, builds, and runs every test that needs no root and no outside network.
 *
 *   npm test                        all suites but e2e
 *   npm test -- unit property       these suites only (folders of test/)
 *   npm test -- unit -t 'a menu'    what follows the suites goes to jest
 *
 * Uses Node's built-in modules only until the installation is complete.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';

const SUITES = ['unit', 'property', 'fuzz', 'contract', 'protocol', 'integration', 'architecture'];
/** Against the real servers of test/realservers, which rotate certificates and are shared: one file at a time. */
const E2E = 'e2e';

const root = path.resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const firstOther = args.findIndex((word) => word !== E2E && !SUITES.includes(word));
const named = firstOther < 0 ? args : args.slice(0, firstOther);
const suites = named.length > 0 ? named : SUITES;
const passedOn = args.slice(named.length);

try {
  ensureInstalled(root);
  const { ensureBuilt } = await import('./bundle.mjs');
  await ensureBuilt(root);
} catch (error) {
  process.stderr.write(`gopher-mcp: cannot test: ${error.message}\n`);
  process.exit(1);
}

const { status, error } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...suites.map((suite) => `./test/${suite}/`),
    ...(suites.includes(E2E) ? ['--runInBand'] : []),
    ...passedOn,
  ],
  { cwd: root, stdio: 'inherit' },
);
if (error) process.stderr.write(`gopher-mcp: jest could not be started: ${error.message}\n`);
process.exit(status ?? 1);
