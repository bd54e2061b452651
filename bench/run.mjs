/**
 * `npm run bench [-- NAME...]`: runs the benchmarks of this folder, one file for each hot function, or those whose names are given.
 *
 * A benchmark exports `run(bench)`. It loads what it measures with `bench.load('src/...ts')` and reports with `bench.row(label, figures)`
 * or measures with `bench.time(label, bytes, work)`. Figures are medians of several runs on this machine: compare them with each
 * other, not with those of another machine.
 */
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSource } from '../scripts/load-source.mjs';

const MIB = 1024 * 1024;
const RUNS = 5;

const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.mjs') && name !== 'run.mjs')
  .map((name) => name.slice(0, -'.mjs'.length))
  .sort();
const unknown = wanted.filter((name) => !names.includes(name));

if (unknown.length > 0) {
  process.stderr.write(`no such benchmark: ${unknown.join(', ')} (there are: ${names.join(', ')})\n`);
  process.exit(2);
}
process.stdout.write(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}\n`);
for (const name of wanted.length > 0 ? wanted : names) {
  const { run } = await import(pathToFileURL(path.join(import.meta.dirname, `${name}.mjs`)).href);
  process.stdout.write(`\n${name}\n`);
  await run({ load: loadSource, row, time });
}

/** Prints one line. */
function row(label, figures) {
  process.stdout.write(`  ${label.padEnd(44)} ${figures}\n`);
}

/**
 * Runs `work` once to warm up and then RUNS times; prints and returns the median. `bytes` is the input of one run: the line then
 * tells the time for each MiB, which stays the same at every size when the work is linear.
 */
async function time(label, bytes, work) {
  await work();
  const timesMs = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startMs = performance.now();
    await work();
    timesMs.push(performance.now() - startMs);
  }
  timesMs.sort((a, b) => a - b);
  const medianMs = timesMs[(RUNS - 1) / 2];
  const perMib = bytes > 0 ? `${((medianMs * MIB) / bytes).toFixed(2).padStart(9)} ms/MiB` : '';
  row(label, `${medianMs.toFixed(2).padStart(9)} ms ${perMib}`);
  return medianMs;
}
