/** A program that runs beside a test: started, waited for, ended by its process id. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const START_WITHIN_MS = 30_000;
const END_WITHIN_MS = 30_000;

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** See the file's header. */
export class Program {
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = '';

  private constructor(process: ChildProcess) {
    this.#process = process;
    for (const stream of [process.stdout, process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output = (this.#output + text).slice(-20_000)));
    }
    this.#ended = once(process, 'exit').then(([code]) => code as number | null);
  }

  /** Starts a program. Rejects, naming `install`, when it is not there. */
  static async start(
    command: string,
    args: readonly string[],
    options: ProgramOptions,
    install?: string,
  ): Promise<Program> {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const program = new Program(child);
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw new Error(`${command} could not be started${install ? `: run ${install}` : ''}`, { cause });
    }
    return program;
  }

  /** The end of what it has printed. */
  get output(): string {
    return this.#output;
  }

  /** Resolves when `holds` does; rejects when the program ends before, or it takes too long. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadlineMs = performance.now() + START_WITHIN_MS;
    while (!(await holds())) {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null || performance.now() > deadlineMs)
        throw new Error(`${this.#process.spawnfile} did not get there; it printed: ${this.#output}`);
      await sleep(POLL_MS);
    }
  }

  /** Asks it to end, by force when that is not enough; gives its exit code, null when a signal ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#process.kill(signal);
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), END_WITHIN_MS);
    try {
      return await this.#ended;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A port on loopback that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

/** `text` with one part replaced, which must be there exactly once. */
export function replaceOnce(text: string, part: string, by: string): string {
  if (text.split(part).length !== 2) throw new Error(`not there once: ${part}`);
  return text.replace(part, by);
}
