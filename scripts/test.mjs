/**
 * `npm test`: installs, builds, and runs every test that needs no root, no outside network and no other program.
 *
 *   npm test                        all suites but e2e and redis
 *   npm test -- unit property       these suites only (folders of test/)
 *   npm test -- unit -t 'a menu'    what follows the suites goes to jest
 *
 * Uses Node's built-in modules only until the installation is complete.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled } from './install.mjs';

const SUITES = ['unit', 'property', 'fuzz', 'contract', 'protocol', 'integration', 'architecture'];
/**
 * What needs other programs (CONTRIBUTING.md says how they are installed), one file at a time: e2e, since the real servers are shared
 * and rotate their certificates; redis, since it measures how long a Redis in trouble holds a call up.
 */
const ALONE = ['e2e', 'redis'];

const root = path.resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const firstOther = args.findIndex((word) => !ALONE.includes(word) && !SUITES.includes(word));
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
    // Where a test fails, a program that it started may be left: the run ends all the same.
    ...(suites.some((suite) => ALONE.includes(suite)) ? ['--runInBand', '--forceExit'] : []),
    ...passedOn,
  ],
  { cwd: root, stdio: 'inherit' },
);
if (error) process.stderr.write(`gopher-mcp: jest could not be started: ${error.message}\n`);
process.exit(status ?? 1);
