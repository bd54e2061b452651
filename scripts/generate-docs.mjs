/**
 * `npm run docs` writes the generated pages of docs/ from the sources they describe; with --check it writes nothing and fails when
 * a page is stale. A page is a module in scripts/docs/ that exports
 *
 *   target             where the page goes, from the top of the repository
 *   render(load)       its whole text; `load` is loadSource of scripts/load-source.mjs
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSource } from './load-source.mjs';

const root = path.resolve(import.meta.dirname, '..');
const pages = path.join(root, 'scripts', 'docs');
const checkOnly = process.argv.includes('--check');

for (const name of readdirSync(pages).sort()) {
  const { target, render } = await import(pathToFileURL(path.join(pages, name)).href);
  const file = path.join(root, target);
  const text = await render(loadSource);
  if (read(file) === text) {
    process.stdout.write(`${target}: up to date\n`);
  } else if (checkOnly) {
    process.stdout.write(`${target}: stale, run "npm run docs"\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${target}: written\n`);
  }
}

/** A checkout may have turned line ends into the platform's own. */
function read(file) {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
