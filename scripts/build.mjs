/** `npm run build`: makes dist/ anew. */
import path from 'node:path';
import { build } from './bundle.mjs';

try {
  await build(path.resolve(import.meta.dirname, '..'));
} catch (error) {
  // What is wrong in the sources esbuild has printed already.
  if (!Array.isArray(error.errors)) process.stderr.write(`gopher-mcp: ${error.stack}\n`);
  process.exitCode = 1;
}
