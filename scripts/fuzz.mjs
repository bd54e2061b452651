/**
 * `npm run fuzz`: property-based fuzzing of every parser and decoder (test/fuzz), for long. A short form is part of `npm test`.
 *
 *   npm run fuzz                                 a CPU minute for each target
 *   npm run fuzz -- --minutes 10 --jobs 2        ten, two targets at a time
 *   npm run fuzz -- --only gopher-menu,robots    these alone
 *   npm run fuzz -- --seed 7 --only robots       the inputs of an earlier run again
 *
 * Each target runs in a process of its own, which is ended when one batch of inputs takes two minutes. What breaks a promise is
 * printed, shrunk, and kept in test/fuzz/seeds, where it is tried first from then on; the fix and a named test go with it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from './load-source.mjs';

const STUCK_MS = 120_000;

process.chdir(path.resolve(import.meta.dirname, '..'));
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 2_000_000_000) },
    /** Internal: this process runs one target and reports to its parent. */
    child: { type: 'string' },
  },
});
const minutes = positive('minutes');
const jobs = positive('jobs');
const seed = Number(values.seed);
await import('reflect-metadata');
const { TARGETS, keepInput, runTarget } = await loadSource('test/fuzz/targets.ts');

if (values.child !== undefined) runChild(values.child);
else process.exitCode = await runAll(wantedTargets());

function positive(name) {
  const number = Number(values[name]);
  if (number > 0) return number;
  process.stderr.write(`--${name} must be a number above 0\n`);
  process.exit(2);
}

function wantedTargets() {
  const names = TARGETS.map(({ name }) => name);
  const wanted = values.only?.split(',') ?? names;
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return wanted;
  process.stderr.write(`no such target: ${unknown.join(', ')} (there are: ${names.join(', ')})\n`);
  process.exit(2);
}

async function runAll(names) {
  process.stdout.write(`seed ${seed}, ${minutes} CPU minutes for each target\n`);
  const queue = [...names];
  const totals = { executions: 0, found: 0 };
  const worker = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const report = await runInChild(name);
      totals.executions += report.executions;
      if (report.problem !== null) totals.found += 1;
      const counts = `${String(report.executions).padStart(10)} inputs ${(report.cpuMs / 1000).toFixed(0).padStart(5)} s CPU`;
      process.stdout.write(`${name.padEnd(20)} ${counts}  ${report.problem === null ? 'ok' : 'FOUND'}\n`);
      if (report.problem !== null) process.stdout.write(`${report.problem.replaceAll(/^/gm, '    | ')}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  process.stdout.write(`${totals.executions} inputs, ${totals.found} targets with a finding\n`);
  return totals.found === 0 ? 0 : 1;
}

/** The report of a target; `problem` is what was found, if anything. */
async function runInChild(name) {
  const args = ['--child', name, '--minutes', values.minutes, '--seed', values.seed];
  const child = spawn(process.execPath, [import.meta.filename, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const seen = { executions: 0, cpuMs: 0, problem: 'the process ended without a report' };
  let batch = seed;
  let stuck;
  const rearm = () => {
    clearTimeout(stuck);
    stuck = setTimeout(() => {
      seen.problem = `one batch took longer than ${STUCK_MS / 1000} s: --only ${name} --seed ${batch}`;
      child.kill('SIGKILL');
    }, STUCK_MS);
  };
  child.on('message', (message) => {
    rearm();
    if ('batch' in message) {
      batch = message.batch;
      seen.executions = message.executions;
    } else Object.assign(seen, message);
  });
  rearm();
  await once(child, 'close');
  clearTimeout(stuck);
  return seen;
}

function runChild(name) {
  const target = TARGETS.find((one) => one.name === name);
  const report = runTarget(target, minutes * 60_000, seed, (batch, executions) => process.send({ batch, executions }));
  const { failure, executions, cpuMs } = report;
  if (failure) keepInput(name, failure.input);
  const problem = failure ? `${JSON.stringify(failure.input)}\n${failure.message}` : null;
  process.send({ executions, cpuMs, problem }, () => process.disconnect());
}
