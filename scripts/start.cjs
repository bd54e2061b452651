/**
 * `npm start`: installs what is missing, builds what is stale, then serves MCP over Streamable HTTP.
 * Whatever follows `npm start --` goes to the server; a flag given there wins over the one set here.
 *
 * Uses Node's built-in modules only until the installation is complete. CommonJS, because the server then runs in this very
 * process (signals, exit code and terminal are its own), and Node 20 starts its thread pool while it loads an ES module entry:
 * the size must be set before.
 */
'use strict';

process.env.UV_THREADPOOL_SIZE ??= '16';

const path = require('node:path');

const root = path.resolve(__dirname, '..');

async function start() {
  const { ensureInstalled } = await import('./install.mjs');
  ensureInstalled(root);
  const { ensureBuilt } = await import('./bundle.mjs');
  await ensureBuilt(root);

  const entry = path.join(root, 'dist', 'main.js');
  process.argv.splice(1, 1, entry, '--transport', 'streamable-http');
  require(entry);
}

start().catch((error) => {
  process.stderr.write(`gopher-mcp: cannot start: ${error.message}\n`);
  process.exitCode = 1;
});
