/**
 * A small MCP client over Streamable HTTP, with a server process of its own on a free loopback port. Like the one for
 * stdio it uses no MCP SDK.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { isArray, isObject, shown, type JsonObject } from './json.js';
import { PROTOCOL_VERSION, ServerFailure, type Answer } from './mcp-stdio-client.js';
import type { ServerCommand } from './server-under-test.js';

const START_DEADLINE_MS = 30_000;
const ANSWER_TIMEOUT_MS = 60_000;
const END_GRACE_MS = 15_000;
const POLL_MS = 50;

/** One server process and one session with it. */
export class McpHttpClient {
  readonly #process: ChildProcess;
  readonly #origin: string;
  #sessionId: string | undefined;
  #stderr = '';
  #lastId = 0;

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process;
    this.#origin = origin;
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2000);
    });
  }

  /** Starts the server and waits until it is healthy. Call {@link initialize} next and {@link close} in the end. */
  static async start(
    command: ServerCommand,
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<McpHttpClient> {
    const port = await freePort();
    const args = [...command.args, '--transport', 'streamable-http', '--port', String(port)];
    const child = spawn(command.program, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    const client = new McpHttpClient(child, `http://127.0.0.1:${port}`);
    await client.#waitUntilHealthy();
    return client;
  }

  /** The handshake; gives the server's half of it. */
  async initialize(): Promise<JsonObject> {
    const { result, error } = await this.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'gopher-mcp-tests', version: '1' },
    });
    if (result === undefined) throw new ServerFailure(`initialize was refused: ${shown(error)}`);
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return result;
  }

  callTool(name: string, args: JsonObject): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** The first page of a list method, which is all that a list of this size has. */
  async listAll(method: string, member: string): Promise<readonly JsonObject[]> {
    const { result, error } = await this.request(method, {});
    if (result === undefined) throw new ServerFailure(`${method} was refused: ${shown(error)}`);
    const page = result[member];
    return isArray(page) ? page.filter(isObject) : [];
  }

  async request(method: string, params: JsonObject): Promise<Answer> {
    const id = ++this.#lastId;
    const response = await this.#post({ jsonrpc: '2.0', id, method, params });
    const body = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const messages = type.startsWith('text/event-stream') ? eventData(body) : [body];
    for (const text of messages) {
      const message: unknown = JSON.parse(text);
      if (!isObject(message) || message['id'] !== id) continue;
      const { result, error } = message;
      return {
        result: isObject(result) ? result : undefined,
        error: isObject(error) ? error : undefined,
        progress: [],
        questions: [],
      };
    }
    throw new ServerFailure(`no answer to ${method} in HTTP ${response.status}: ${shown(body)}`);
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

  async #post(message: JsonObject): Promise<Response> {
    const response = await fetch(`${this.#origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL_VERSION,
        ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    this.#sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
    return response;
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async #waitUntilHealthy(): Promise<void> {
    const deadlineMs = performance.now() + START_DEADLINE_MS;
    for (;;) {
      const response = await fetch(`${this.#origin}/health`).catch(() => undefined);
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

/** The data of each event of a finished stream. */
function eventData(stream: string): readonly string[] {
  return stream
    .split(/\r?\n\r?\n/)
    .map((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:')))
    .map((lines) => lines.map((line) => line.slice('data:'.length).trimStart()).join('\n'))
    .filter((data) => data !== '');
}
