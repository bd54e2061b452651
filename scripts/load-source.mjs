/** Loads a TypeScript module of src/ into a plain script: bundles it with what it imports (packages excepted) and imports the result. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
/** Inside node_modules, so that the packages a module imports are found from there. */
const cache = path.join(root, 'node_modules', '.cache', 'gopher-mcp');
let loads = 0;

/** The exports of `file`, a path from the top of the repository such as `src/common/error-codes.ts`. */
export async function loadSource(file) {
  loads += 1;
  const outfile = path.join(cache, `${process.pid}-${loads}.mjs`);
  mkdirSync(cache, { recursive: true });
  // Synchronous: the other form leaves a process running, which a test run would have to wait for.
  buildSync({
    absWorkingDir: root,
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    keepNames: true,
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
