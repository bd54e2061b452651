import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Starts upstream.mjs; gives its process and its two ports. */
export async function startUpstream(bench) {
  const { testCertificate } = await bench.load('test/support/test-certificates.ts');
  const program = path.join(import.meta.dirname, 'upstream.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(await testCertificate({ subject: 'CN=127.0.0.1' })));
  const [ports] = await once(child.stdout, 'data');
  const [gopher, gemini] = String(ports).trim().split(' ').map(Number);
  return { process: child, gopher, gemini };
}
