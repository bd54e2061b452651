/**
 * probe.mjs URL STATE_FOLDER: looks at a server in its container from outside. Health, a fetch over MCP of a menu served here, a client
 * identity that ends up in the state folder under the container's user, and the process itself: no root, no capability.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_DEADLINE_MS = 20_000;
const [base, stateFolder] = process.argv.slice(2);

const gopher = net.createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {});
  socket.once('data', (request) => {
    // No robots.txt here, and one menu for everything else.
    const line = request.toString('latin1').startsWith('robots.txt')
      ? '3none\t\terror.host\t1\r\n'
      : 'iFrom the host\t\terror.host\t1\r\n';
    socket.end(`${line}.\r\n`);
  });
});
await new Promise((resolve) => gopher.listen(0, '127.0.0.1', resolve));

const health = await waitForHealth();
assert.equal(health.status, 'ok');
say('health', JSON.stringify(health));

const menu = await callTool('gopher_fetch', { url: `gopher://127.0.0.1:${gopher.address().port}/1/` });
assert.equal(menu.structuredContent?.kind, 'menu', JSON.stringify(menu));
say('fetch', JSON.stringify(menu.structuredContent.items));

const created = await callTool('gemini_client_cert_update', { action: 'create', url: 'gemini://example.org/' });
assert.notEqual(created.isError, true, JSON.stringify(created));
const files = readdirSync(stateFolder, { recursive: true, encoding: 'utf8' });
assert.ok(
  files.some((name) => name.endsWith('registry.json')),
  files.join(' '),
);
for (const name of files) {
  const { uid, mode } = statSync(path.join(stateFolder, name));
  assert.notEqual(uid, 0, `${name} belongs to root`);
  assert.equal(mode & 0o077, 0, `${name} can be read by others`);
}
say('state', files.join(' '));

const status = readFileSync(`/proc/${findServer()}/status`, 'utf8');
assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
assert.match(status, /^CapEff:\t0+$/m);
assert.match(status, /^CapBnd:\t0+$/m);
assert.match(status, /^NoNewPrivs:\t1$/m);
say('process', 'uid 10001, no capability, no new privileges');

gopher.close();

function say(what, text) {
  process.stdout.write(`${what}: ${text}\n`);
}

async function waitForHealth() {
  const deadlineMs = Date.now() + START_DEADLINE_MS;
  for (;;) {
    try {
      return await (await fetch(`${base}/health`)).json();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(100);
    }
  }
}

/** One tool call, in a conversation of its own: initialize, initialized, tools/call. */
async function callTool(name, args) {
  const clientInfo = { name: 'container-probe', version: '1' };
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const { headers } = await post({ id: 1, method: 'initialize', params: initialize });
  const session = headers.get('mcp-session-id');
  const more = { 'mcp-protocol-version': '2025-06-18', ...(session === null ? {} : { 'mcp-session-id': session }) };
  await post({ method: 'notifications/initialized' }, more);
  const { body } = await post({ id: 2, method: 'tools/call', params: { name, arguments: args } }, more);
  // A stream carries the answer in its last event.
  const json = body.startsWith('{')
    ? body
    : body
        .trimEnd()
        .split('\n')
        .findLast((line) => line.startsWith('data:'))
        .slice(5);
  const { result, error } = JSON.parse(json);
  assert.equal(error, undefined, json);
  return result;
}

async function post(message, headers = {}) {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const body = await response.text();
  assert.ok(response.ok, `${message.method}: ${response.status} ${body}`);
  return { headers: response.headers, body };
}

/** The server's number as this side counts: its command line names the bundle's place in the image. */
function findServer() {
  const found = readdirSync('/proc').filter((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return path.basename(words[0] ?? '') === 'node' && words[1] === '/opt/gopher-mcp/dist/main.js';
    } catch {
      return false;
    }
  });
  assert.equal(found.length, 1, `servers running: ${found.join(' ')}`);
  return found[0];
}
