/** `node test/outside/install.mjs [NAME...]`: installs programs of others that judge the server; all of them by default. */
import { ensurePrograms, PROGRAMS } from './programs.mjs';

const names = process.argv.slice(2);
try {
  ensurePrograms(names.length > 0 ? names : Object.keys(PROGRAMS));
} catch (error) {
  process.stderr.write(`gopher-mcp: ${error.message}\n`);
  process.exitCode = 1;
}
