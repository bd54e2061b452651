/**
 * `npm run picture`: draws docs/what-a-model-sees.svg from a real run: the demo is started, the server is asked over stdio as a client
 * asks it, and what comes back is written down. With --check nothing is written, and a picture that is not what a run gives now fails.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBuilt } from './bundle.mjs';

const root = path.resolve(import.meta.dirname, '..');
const entry = path.join(root, 'dist', 'main.js');
const target = path.join(root, 'docs', 'what-a-model-sees.svg');
const SELECTOR = '/1/log';
const LINE_HEIGHT = 18;
const CHARACTER_WIDTH = 7.9;
const MARGIN = 20;

await ensureBuilt(root);
const svg = draw(await run());
const known = readFileSync(target, { encoding: 'utf8', flag: 'a+' });
if (known === svg) process.stdout.write('docs/what-a-model-sees.svg: up to date\n');
else if (process.argv.includes('--check')) {
  process.stdout.write('docs/what-a-model-sees.svg: stale, run "npm run picture"\n');
  process.exitCode = 1;
} else {
  writeFileSync(target, svg);
  process.stdout.write('docs/what-a-model-sees.svg: written\n');
}

/** The call and its answer, as lines. Port and instant, which differ from run to run, are replaced. */
async function run() {
  const home = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-picture-'));
  const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, GOPHER_ALLOW_LOCAL_HOSTS: 'true' };
  const demo = start(['demo', '--gopher-port', '0', '--gemini-port', '0'], env);
  try {
    const origin = await firstMatch(demo, /gopher:\/\/127\.0\.0\.1:\d+/);
    const result = await call('gopher_fetch', { url: origin + SELECTOR }, env);
    const port = origin.split(':').at(-1);
    const shown = (text) =>
      text
        .replaceAll(`127.0.0.1:${port}`, 'localhost')
        .replaceAll(`: ${port}`, ': 70')
        .replaceAll('127.0.0.1', 'localhost');
    const answer = result.content[0].text.replace(/"timestamp": "[^"]*"/, '"timestamp": "2026-12-01T09:00:00.000Z"');
    return [`gopher_fetch ${shown(JSON.stringify({ url: origin + SELECTOR }))}`, '', ...shown(answer).split('\n')];
  } finally {
    demo.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

async function call(name, args, env) {
  const server = start([], env);
  try {
    const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'picture', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name, arguments: args } });
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 2) return result;
    }
    throw new Error('the server did not answer');
  } finally {
    server.stdin.end();
  }
}

function start(args, env) {
  return spawn(process.execPath, [entry, ...args], { env, cwd: env.HOME, stdio: ['pipe', 'pipe', 'ignore'] });
}

async function firstMatch(program, pattern) {
  let printed = '';
  for await (const chunk of program.stdout) {
    printed += chunk;
    const found = pattern.exec(printed);
    if (found) return found[0];
  }
  throw new Error(`the demo ended: ${printed}`);
}

function draw(lines) {
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const texts = lines.map((line, index) => {
    const y = MARGIN + (index + 0.8) * LINE_HEIGHT;
    const colour = index === 0 ? '#7ee787' : /"(untrusted|source_host)"/.test(line) ? '#ffa657' : '#e6edf3';
    return `<text x="${MARGIN}" y="${y.toFixed(1)}" fill="${colour}" xml:space="preserve">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>A tool call and the result that a model gets</title>',
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
