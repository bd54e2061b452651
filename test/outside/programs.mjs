/**
 * Programs of others that judge the server: the official conformance suite, the official Python client, the Inspector. Each is
 * installed in an exact version outside the repository: as dependencies they would weigh on every installation, and they need a
 * newer Node than the project supports.
 *
 * Uses Node's built-in modules only. Types for the tests in TypeScript: programs.d.mts.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'gopher-mcp-outside');

/** Oldest major version of Node that the programs from npm run on. */
const NODE_MAJOR_NEEDED = 24;

/** The folder that .ci/steps.sh keeps Node in, too. */
const nodePrefix = path.join(path.dirname(cache), 'gopher-mcp-node', String(NODE_MAJOR_NEEDED));

/** A package from npm: a file of it is run by {@link nodeForPrograms}. */
function npmProgram(name, version, file) {
  const folder = path.join(cache, `${name.replace(/^.*\//, '')}-${version}`);
  const entry = path.join(folder, 'node_modules', name, file);
  return {
    version,
    entry,
    isInstalled: () => existsSync(entry),
    install: () => run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`]),
  };
}

/** A package from PyPI with all its dependencies, by a list of exact versions, in an environment of its own. */
function pythonProgram(version, list) {
  const folder = path.join(cache, `python-mcp-${version}`);
  const requirements = path.join(import.meta.dirname, list);
  const installed = path.join(folder, 'installed.txt');
  const entry = path.join(folder, 'bin', 'python');
  return {
    version,
    entry,
    isInstalled: () => existsSync(installed) && readFileSync(installed).equals(readFileSync(requirements)),
    install: () => {
      rmSync(folder, { recursive: true, force: true });
      run('python3', ['-m', 'venv', folder]);
      run(entry, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check', '-r', requirements]);
      cpSync(requirements, installed);
    },
  };
}

/** Node for the programs from npm: the running one where it is new enough. */
const node = {
  version: String(NODE_MAJOR_NEEDED),
  get entry() {
    if (isNewEnough()) return process.execPath;
    return path.join(nodePrefix, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  },
  isInstalled: () => existsSync(node.entry),
  install: () =>
    run('npm', [
      'install',
      '--prefix',
      nodePrefix,
      '--no-audit',
      '--no-fund',
      `node-linux-${process.arch}@${NODE_MAJOR_NEEDED}`,
    ]),
};

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_NEEDED;
}

const CONFORMANCE = '@modelcontextprotocol/conformance';

/** Every program by its name. */
export const PROGRAMS = {
  node,
  'conformance-stable': npmProgram(CONFORMANCE, '0.1.16', 'dist/index.js'),
  'conformance-next': npmProgram(CONFORMANCE, '0.2.0-alpha.12', 'dist/index.js'),
  inspector: npmProgram('@modelcontextprotocol/inspector', '2.12.0', 'clients/launcher/build/index.js'),
  'python-1': pythonProgram('1.30.0', 'python-1.txt'),
  'python-2': pythonProgram('2.3.0', 'python-2.txt'),
};

/** Installs these programs where they are missing, and says so on stderr. */
export function ensurePrograms(names) {
  for (const name of names) {
    const program = PROGRAMS[name];
    if (program === undefined)
      throw new Error(`there is no program ${name}; there are ${Object.keys(PROGRAMS).join(', ')}`);
    if (program.isInstalled()) continue;
    process.stderr.write(`gopher-mcp: installing ${name} ${program.version}\n`);
    mkdirSync(cache, { recursive: true });
    program.install();
    if (!program.isInstalled()) throw new Error(`${name} is not where it was expected: ${program.entry}`);
  }
}

/** The file to run; throws when it is not installed. */
export function entryOf(name) {
  const program = PROGRAMS[name];
  if (!program.isInstalled()) throw new Error(`${name} is not installed: run "node test/outside/install.mjs"`);
  return program.entry;
}

function run(command, args) {
  // Away from the project, whose own npm settings are not meant for this.
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], cwd: cache });
  if (error) throw new Error(`${command} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed (exit code ${status})`);
}
