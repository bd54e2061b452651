/**
 * Brings node_modules in line with package-lock.json. Uses Node's built-in modules only: it runs before anything is installed.
 * npm keeps its own record of what it installed (node_modules/.package-lock.json); comparing against that needs no stamp of ours
 * and leaves an installation alone that somebody made by hand.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Whether every package of the lock file is installed in the version that it names. Packages for other platforms do not count. */
export function isInstalled(root) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(
    ([place, entry]) => place === '' || entry.optional === true || installed[place]?.version === entry.version,
  );
}

/** Runs `npm ci` unless that would change nothing. Its output goes to stderr: stdout may belong to a protocol. */
export function ensureInstalled(root) {
  if (isInstalled(root)) return;
  process.stderr.write('gopher-mcp: installing packages (npm ci)\n');
  const { status, error } = runNpm(['ci', '--no-audit', '--no-fund'], root);
  if (error) throw new Error(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`npm ci failed (exit code ${status})`);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/** Under `npm start` the running npm names its own script, which works alike on every platform; `npm.cmd` would need a shell. */
export function runNpm(args, root) {
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const npmScript = process.env.npm_execpath;
  if (npmScript !== undefined && /npm-cli\.[cm]?js$/.test(npmScript)) {
    return spawnSync(process.execPath, [npmScript, ...args], options);
  }
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}
