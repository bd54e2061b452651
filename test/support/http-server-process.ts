/** The server under test as a process of its own that serves Streamable HTTP on a free loopback port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { ServerFailure } from './mcp-stdio-client.js';
import type { ServerCommand } from './server-under-test.js';
import { Traffic } from './traffic.js';

const START_DEADLINE_MS = 30_000;
const END_GRACE_MS = 15_000;
const POLL_MS = 50;

/** See the file's header. */
export class HttpServerProcess {
  /** `http://host:port`. */
  readonly origin: string;
  /** Of all its clients. */
  readonly traffic = new Traffic();
  readonly #process: ChildProcess;
  #stderr = '';

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process;
    this.origin = origin;
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.traffic.logged(text);
      this.#stderr = (this.#stderr + text).slice(-2000);
    });
  }

  /** Starts the server and waits until it is healthy; rejects with {@link ServerFailure} when it does not become so. */
  static async start(
    command: ServerCommand,
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<HttpServerProcess> {
    const port = await freePort();
    const args = [...command.args, '--transport', 'streamable-http', '--port', String(port)];
    const child = spawn(command.program, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    const server = new HttpServerProcess(child, `http://127.0.0.1:${port}`);
    await server.#waitUntilHealthy();
    return server;
  }

  /** Ends the server with SIGTERM, by force when that is not enough. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), END_GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async #waitUntilHealthy(): Promise<void> {
    const deadlineMs = performance.now() + START_DEADLINE_MS;
    for (;;) {
      const response = await fetch(`${this.origin}/health`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) return;
      if (this.#hasEnded || performance.now() > deadlineMs) {
        await this.close();
        throw new ServerFailure(`the server is not healthy; stderr: ${this.#stderr}`);
      }
      await sleep(POLL_MS);
    }
  }
}

/** A port on which nobody listens now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}
