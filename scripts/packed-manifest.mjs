/**
 * Around `npm pack`: what is published is a bundle, so its package.json asks for nothing to be installed. The file here keeps its
 * dependencies, which say what the bundle is made of.
 *
 *   node scripts/packed-manifest.mjs strip     before packing; the whole file waits beside it
 *   node scripts/packed-manifest.mjs restore   after it; also puts right what an interrupted packing left behind
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const manifest = path.join(root, 'package.json');
const whole = path.join(root, 'build', 'package.json.whole');
/** What only a checkout needs. */
const LEFT_OUT = ['scripts', 'dependencies', 'devDependencies', 'overrides'];

switch (process.argv[2]) {
  case 'strip':
    strip();
    break;
  case 'restore':
    if (existsSync(whole)) renameSync(whole, manifest);
    break;
  default:
    process.stderr.write('usage: packed-manifest.mjs strip|restore\n');
    process.exitCode = 2;
}

function strip() {
  const text = readFileSync(existsSync(whole) ? whole : manifest, 'utf8');
  const published = JSON.parse(text);
  for (const member of LEFT_OUT) delete published[member];
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
}
