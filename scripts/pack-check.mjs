/**
 * `npm run pack:check`: packs the package, unpacks it where no node_modules is in reach, and talks to it over stdio. What a user installs
 * is that archive, not this tree.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { runNpm } from './install.mjs';

const ANSWER_DEADLINE_MS = 20_000;

const root = path.resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const place = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-pack-'));

try {
  succeed('npm pack', runNpm(['pack', '--silent', '--pack-destination', place], root));
  const archive = readdirSync(place).find((name) => name.endsWith('.tgz'));
  succeed('tar', spawnSync('tar', ['-xzf', archive], { cwd: place }));
  const packed = path.join(place, 'package');

  const files = readdirSync(packed, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const strays = files.filter(
    (name) => /^(src|test|scripts|node_modules)\//.test(name) || name === 'dist/inputs.sha256',
  );
  if (strays.length > 0) throw new Error(`does not belong into the package: ${strays.join(', ')}`);

  const { dependencies } = JSON.parse(readFileSync(path.join(packed, 'package.json'), 'utf8'));
  if (dependencies !== undefined) throw new Error('the package asks for packages to be installed');

  const entry = path.join(packed, 'dist', 'main.js');
  const told = spawnSync(process.execPath, [entry, '--version'], { cwd: place, encoding: 'utf8' });
  succeed('--version', told);
  if (told.stdout.trim() !== `gopher-mcp ${version}`) throw new Error(`--version says ${told.stdout}`);

  const tools = await listTools(entry);
  for (const name of ['gopher_fetch', 'gemini_fetch']) {
    if (!tools.includes(name)) throw new Error(`${name} is missing among ${tools.join(', ')}`);
  }
  process.stdout.write(`packed: ${files.length} files, ${tools.length} tools over stdio\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function succeed(what, { status, error, stderr }) {
  if (error) throw error;
  if (status !== 0) throw new Error(`${what} failed (exit code ${status}) ${stderr ?? ''}`);
}

/** Initializes a server and asks for its tools; its stdin is then closed, which must end it with 0. */
async function listTools(entry) {
  const server = spawn(process.execPath, [entry], { cwd: place, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const timer = setTimeout(() => server.kill('SIGKILL'), ANSWER_DEADLINE_MS);
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'pack-check', version };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  let tools = [];
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id !== 2) continue;
    tools = result.tools.map(({ name }) => name);
    server.stdin.end();
  }
  const code = await ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`the server ended with ${code} when its input was closed`);
  return tools;
}
