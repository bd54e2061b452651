/** Scripts of test/support/children, run as processes of their own: bundled once, because Node runs no TypeScript. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { build } from 'esbuild';

import { REPOSITORY } from './server-under-test.js';
import { temporaryFolder } from './temporary-folder.js';

export interface ChildScript {
  /** Starts a process; `uid` is for tests that run as root and must not be. */
  start(args: readonly string[], uid?: number): RunningChild;
  remove(): Promise<void>;
}

export interface RunningChild {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when it has printed something that `wanted` accepts. */
  line(wanted: (line: string) => boolean): Promise<string>;
  /** Its exit code, null when a signal ended it. Everything it printed is in `lines` by then. */
  readonly ended: Promise<number | null>;
}

/** Bundles `test/support/children/<name>.ts`. */
export async function childScript(name: string): Promise<ChildScript> {
  const folder = await temporaryFolder();
  const script = join(folder.path, `${name}.mjs`);
  await build({
    entryPoints: [join(REPOSITORY, 'test', 'support', 'children', `${name}.ts`)],
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'silent',
  });
  await chmod(folder.path, 0o755);
  return { start: (args, uid) => startChild([script, ...args], uid), remove: () => folder.remove() };
}

function startChild(args: readonly string[], uid: number | undefined): RunningChild {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    for (const listener of listeners) listener(line);
  });
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(([[code]]) => code as number | null);
  return {
    process: child,
    lines,
    ended,
    line: (wanted) =>
      new Promise((resolve, reject) => {
        const found = lines.find(wanted);
        if (found !== undefined) {
          resolve(found);
          return;
        }
        const listener = (line: string): void => {
          if (!wanted(line)) return;
          listeners.delete(listener);
          resolve(line);
        };
        listeners.add(listener);
        void ended.then(() => reject(new Error(`ended after ${JSON.stringify(lines)}`)));
      }),
  };
}
