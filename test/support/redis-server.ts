/**
 * A real redis-server of the test's own: on a free loopback port, keeping nothing on disk. It can be stopped, started empty again on
 * the same port, frozen and filled.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_WITHIN_MS = 10_000;
const POLL_MS = 20;

/** See the file's header. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, options: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param options as on the command line: `--requirepass`, `secret`
   */
  static async start(...options: readonly string[]): Promise<RedisServer> {
    const server = await RedisServer.reserve(...options);
    await server.restart();
    return server;
  }

  /** Gives a server that does not run yet; {@link restart} starts it. */
  static async reserve(...options: readonly string[]): Promise<RedisServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'redis-'));
    return new RedisServer(await freePort(), folder, options);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Starts it, empty, on its port. */
  async restart(): Promise<void> {
    await this.stop();
    const plain = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', [...plain, '--dir', this.#folder, ...this.#options], { stdio: 'ignore' });
    this.#process = child;
    const giveUpMs = performance.now() + START_WITHIN_MS;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null || performance.now() > giveUpMs) throw new Error('redis-server does not start');
      await sleep(POLL_MS);
    }
  }

  /** Ends it as an operator would not: connections are reset, nothing is kept. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    this.#process = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** It goes on to accept connections and answers none. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** Ends {@link freeze}. */
  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** No more memory for changes, or room again. */
  async setFull(isFull: boolean): Promise<void> {
    await this.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await this.command('CONFIG', 'SET', 'maxmemory', isFull ? '1' : '0');
  }

  /** Sends one command over a connection of its own and gives the raw reply of the protocol. */
  command(...parts: readonly string[]): Promise<string> {
    return sendCommand(this.port, parts);
  }

  /** All keys, sorted. */
  async keys(): Promise<string[]> {
    const reply = await this.command('KEYS', '*');
    return reply
      .split('\r\n')
      .filter((line) => line !== '' && !/^[*$]\d/.test(line))
      .sort();
  }

  /** Ends it and removes its folder. */
  async close(): Promise<void> {
    this.thaw();
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    return /^(\+PONG|-NOAUTH)/.test(await sendCommand(port, ['PING']));
  } catch {
    return false;
  }
}

function sendCommand(port: number, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let reply = '';
    socket.setEncoding('utf8').setTimeout(5000, () => socket.destroy(new Error('redis-server does not answer')));
    socket.on('error', reject);
    socket.on('data', (text: string) => (reply += text));
    socket.on('close', () => resolve(reply));
    const command = parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('');
    // QUIT makes the server end the connection once all is said.
    socket.write(`*${parts.length}\r\n${command}*1\r\n$4\r\nQUIT\r\n`);
  }).then((reply) => String(reply).replace(/\+OK\r\n$/, ''));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
