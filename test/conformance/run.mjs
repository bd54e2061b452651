/**
 * Runs the official MCP conformance suite against this server: see README.md. Ends with "N passed, N failed"; the exit code is 1
 * when a check fails that is not listed in expected-failures.json, or a listed one does not.
 *
 *   node test/conformance/run.mjs [RUN...]    all runs of runs.mjs, or these
 *
 * Uses Node's built-in modules only until everything is installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from '../../scripts/install.mjs';
import { ensurePrograms, entryOf } from '../outside/programs.mjs';
import { judge, unknownRuns } from './judge.mjs';
import { RUNS } from './runs.mjs';
import { startOverHttp, startOverStdio, startReplicas } from './targets.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-conformance-'));

/** The names of the suite's result folders end in the time of day. */
const RESULT_FOLDER = /^server-(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`gopher-mcp: cannot judge: ${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main(names) {
  const strange = names.filter((name) => !RUNS.some((run) => run.name === name));
  if (strange.length > 0) {
    throw new Error(`no run ${strange.join(', ')}; there are\n  ${RUNS.map(({ name }) => name).join('\n  ')}`);
  }
  const runs = names.length > 0 ? RUNS.filter(({ name }) => names.includes(name)) : RUNS;
  const expectations = JSON.parse(readFileSync(path.join(import.meta.dirname, 'expected-failures.json'), 'utf8'));

  ensureInstalled(root);
  ensurePrograms(['node', ...new Set(runs.map(({ program }) => program))]);
  const targets = await makeTargets(runs);
  const results = [];
  for (const run of runs) {
    const began = performance.now();
    const found = await runSuite(run, targets[run.target]);
    const { passed, expected, failures } = judge(found, expectations);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const counts = `${found.length} scenarios, ${passed} checks good, ${expected} as listed, ${failures.length} wrong`;
    process.stdout.write(`${run.name}: ${counts}, ${seconds} s\n`);
    results.push(...found);
  }

  const { passed, failures: wrong } = judge(results, expectations);
  const all = [
    ...wrong,
    ...unknownRuns(
      expectations,
      RUNS.map(({ name }) => name),
    ),
  ];
  for (const line of all) process.stdout.write(`FAILED ${line}\n`);
  process.stdout.write(`${passed} passed, ${all.length} failed\n`);
  return all.length > 0 ? 1 : 0;
}

/** How to start each target, with what is to be built for them built. */
async function makeTargets(runs) {
  const { ensureBuilt } = await import('../../scripts/bundle.mjs');
  const product = path.join(root, 'dist', 'main.js');
  const wanted = new Set(runs.map(({ target }) => target));
  let fixtures;
  if (wanted.has('product http')) await ensureBuilt(root);
  if (['fixtures http', 'fixtures stdio', 'fixtures replicas'].some((name) => wanted.has(name))) {
    const { buildFixtureServer } = await import('./fixture-server/build.mjs');
    fixtures = await buildFixtureServer(root, path.join(scratch, 'fixture-server'));
  }
  return {
    'product http': () => startOverHttp(product),
    'fixtures http': () => startOverHttp(fixtures),
    'fixtures stdio': () => startOverStdio(fixtures),
    'fixtures replicas': () => startReplicas(fixtures),
  };
}

async function runSuite({ name, program, args, only, except = [] }, startTarget) {
  const folder = path.join(scratch, name.replaceAll(' ', '-'));
  const target = await startTarget();
  try {
    const words = [entryOf(program), 'server', '--url', target.url, '--output-dir', folder, ...args];
    // Its own exit code and what it prints say nothing: it knows nothing of the list.
    const suite = spawn(entryOf('node'), words, { stdio: 'ignore', cwd: scratch });
    await once(suite, 'exit');
  } finally {
    await target.close();
  }
  const found = readdirSync(folder).map((entry) => ({
    run: name,
    scenario: RESULT_FOLDER.exec(entry)?.[1] ?? entry,
    checks: readChecks(path.join(folder, entry, 'checks.json')),
  }));
  const missing = (only ?? []).filter((one) => !found.some(({ scenario }) => scenario === one));
  if (missing.length > 0) throw new Error(`${name} has no scenario ${missing.join(', ')}`);
  return found.filter(({ scenario }) => (only === undefined || only.includes(scenario)) && !except.includes(scenario));
}

/** A scenario that broke off leaves its folder empty: nothing was judged. */
function readChecks(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
