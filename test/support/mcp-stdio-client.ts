/**
 * A small MCP client over stdio: newline-delimited JSON-RPC and nothing else.
 *
 * It uses no MCP SDK on purpose, so that nothing hides what the server really writes. Everything on stdout must be a
 * JSON-RPC message in valid UTF-8 on a line of its own that answers a question asked, or one of the requests and
 * notifications known here; anything else fails every call from then on.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

import { isArray, isObject, shown, type Json, type JsonObject } from './json.js';
import type { ServerCommand } from './server-under-test.js';
import { Traffic } from './traffic.js';

/** The revision that the recorded sessions offered. */
export const PROTOCOL_VERSION = '2025-11-25';

/** How the person behind the client answers an elicitation, by the names the recorded scenarios use. */
export type ElicitationAnswer = 'accept' | 'accept-false' | 'decline';

const ELICITATION_RESULTS: Readonly<Record<ElicitationAnswer, JsonObject>> = {
  accept: { action: 'accept', content: { confirm: true } },
  'accept-false': { action: 'accept', content: { confirm: false } },
  decline: { action: 'decline' },
};

/** The server died, stayed silent or broke the framing. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
}

/** What came back for one request, with the notifications and questions seen meanwhile. */
export interface Answer {
  readonly result: JsonObject | undefined;
  /** A JSON-RPC error. */
  readonly error: JsonObject | undefined;
  /** [progress, total] of each progress notification. */
  readonly progress: readonly Json[];
  /** Params of each elicitation/create. */
  readonly questions: readonly JsonObject[];
}

/** How the server ended. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Whether closing its input was not enough. */
  readonly forced: boolean;
}

export interface McpStdioClientOptions {
  readonly command: ServerCommand;
  /** Working directory of the server. */
  readonly folder: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Given: the client advertises elicitation and answers so. Absent: the capability is not advertised. */
  readonly elicitation?: ElicitationAnswer | undefined;
  /** How long to wait for one answer. Default 40,000. */
  readonly timeoutMs?: number;
}

interface PendingRequest {
  readonly method: string;
  readonly progress: Json[];
  readonly questions: JsonObject[];
  readonly timer: NodeJS.Timeout;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: Error) => void;
}

const STDERR_TAIL_CHARS = 2000;
const END_GRACE_MS = 10_000;

/** One server process and one session with it. */
export class McpStdioClient {
  readonly #options: McpStdioClientOptions;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #exited: Promise<{ code: number | null; signal: string | null }>;
  readonly #traffic = new Traffic();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #line: Buffer[] = [];
  #stderr = '';
  #failure: ServerFailure | undefined;
  #brokenFraming: ServerFailure | undefined;
  #lastId = 0;

  /** Starts the server. Call {@link initialize} next and {@link close} in the end. */
  constructor(options: McpStdioClientOptions) {
    this.#options = options;
    // Modes of new files are part of what is compared, so the usual mask is set for the moment of the spawn.
    const umask = process.umask(0o022);
    this.#process = spawn(options.command.program, [...options.command.args], {
      cwd: options.folder,
      env: { ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    process.umask(umask);
    this.#exited = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#fail(`the server ended (${signal ?? `exit code ${code}`}); stderr: ${this.stderrTail()}`);
        resolve({ code, signal });
      });
    });
    this.#process.once('error', (error) => this.#fail(`the server cannot be started: ${error.message}`));
    this.#process.stdin.on('error', () => this.#fail(`the server closed its input; stderr: ${this.stderrTail()}`));
    this.#process.stdout.on('data', (chunk: Buffer) => this.#onOutput(chunk));
    this.#process.stdout.once('end', () => {
      if (this.#line.length > 0) this.#onLine(Buffer.concat(this.#line), 'without a line end');
    });
    this.#process.stderr.setEncoding('utf8');
    this.#process.stderr.on('data', (text: string) => {
      this.#traffic.logged(text);
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL_CHARS);
    });
  }

  /** The process id, for tests that watch the process itself. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The end of what the server logged, on one line. */
  stderrTail(): string {
    return this.#stderr.trim().split(/\r?\n/).slice(-4).join(' | ') || '(empty)';
  }

  /** The handshake; gives the server's half of it. */
  async initialize(): Promise<JsonObject> {
    const answer = await this.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: this.#options.elicitation === undefined ? {} : { elicitation: { form: {} } },
      clientInfo: { name: 'gopher-mcp-tests', version: '1' },
    });
    if (answer.result === undefined) throw new ServerFailure(`initialize was refused: ${shown(answer.error)}`);
    this.notify('notifications/initialized', {});
    return answer.result;
  }

  /** Calls a tool. The answer may carry a JSON-RPC error instead of a result. */
  callTool(name: string, args: JsonObject, wantProgress = false): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args }, wantProgress);
  }

  /** All pages of a list method. */
  async listAll(method: string, member: string): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    let cursor: Json = null;
    do {
      const { result, error } = await this.request(method, cursor === null ? {} : { cursor });
      if (result === undefined) throw new ServerFailure(`${method} was refused: ${shown(error)}`);
      const page = result[member];
      if (isArray(page)) items.push(...page.filter(isObject));
      cursor = result['nextCursor'] ?? null;
    } while (cursor !== null);
    return items;
  }

  /** Sends one request and waits for its answer. Rejects with {@link ServerFailure} only. */
  request(method: string, params: JsonObject, wantProgress = false): Promise<Answer> {
    const id = ++this.#lastId;
    const timeoutMs = this.#options.timeoutMs ?? 40_000;
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new ServerFailure(`no answer to ${method} within ${timeoutMs / 1000} s; stderr: ${this.stderrTail()}`));
      }, timeoutMs);
      this.#pending.set(id, { method, progress: [], questions: [], timer, resolve, reject });
      this.#traffic.sent(params['arguments'] ?? params);
      const withToken = wantProgress ? { ...params, _meta: { progressToken: id } } : params;
      this.#send({ jsonrpc: '2.0', id, method, params: withToken });
    });
  }

  /** Sends a notification. */
  notify(method: string, params: JsonObject): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /**
   * Ends the server by closing its input, by force when that is not enough. Throws when the server broke the framing,
   * also after its last answer.
   */
  async close(): Promise<ServerExit> {
    this.#process.stdin.end();
    let forced = false;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endsWithin(END_GRACE_MS)) break;
      forced = true;
      this.#process.kill(signal);
    }
    const exit = await this.#exited;
    if (this.#brokenFraming !== undefined) throw this.#brokenFraming;
    return { ...exit, forced };
  }

  async #endsWithin(graceMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), graceMs);
    });
    const ended = await Promise.race([this.#exited.then(() => true), tooLate]);
    clearTimeout(timer);
    return ended;
  }

  #send(message: JsonObject): void {
    if (this.#process.stdin.writable) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #onOutput(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      this.#line.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#line);
      this.#line = [];
      start = end + 1;
      this.#onLine(line);
    }
    if (start < chunk.length) this.#line.push(chunk.subarray(start));
  }

  #onLine(line: Buffer, flaw?: string): void {
    const message = flaw === undefined ? this.#parse(line) : undefined;
    if (message === undefined || !this.#dispatch(message)) {
      const text = shown(line.subarray(0, 200).toString('latin1'), 200);
      const what = flaw === undefined ? 'no expected message' : `a message ${flaw}`;
      this.#brokenFraming ??= new ServerFailure(`stdout carries ${what}: ${text}`);
      this.#fail(this.#brokenFraming.message);
    }
  }

  #parse(line: Buffer): JsonObject | undefined {
    try {
      const message: unknown = JSON.parse(this.#decoder.decode(line));
      return isObject(message) && message['jsonrpc'] === '2.0' ? message : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the message had a place. */
  #dispatch(message: JsonObject): boolean {
    const { id, method } = message;
    if (method === undefined) return typeof id === 'number' && this.#settle(id, message);
    if (typeof method !== 'string') return false;
    const params = isObject(message['params']) ? message['params'] : {};
    if (id !== undefined) {
      this.#answerServer(id, method, params);
      return true;
    }
    if (method === 'notifications/progress') return this.#onProgress(params);
    return method.startsWith('notifications/');
  }

  #settle(id: number, message: JsonObject): boolean {
    const pending = this.#pending.get(id);
    // A late answer to a request that was given up is not the server's fault; an id that was never sent is.
    if (pending === undefined) return id >= 1 && id <= this.#lastId;
    const { result, error } = message;
    if (!isObject(result) && !isObject(error)) return false;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    this.#traffic.received(result ?? error);
    pending.resolve({
      result: isObject(result) ? result : undefined,
      error: isObject(error) ? error : undefined,
      progress: pending.progress,
      questions: pending.questions,
    });
    return true;
  }

  #onProgress(params: JsonObject): boolean {
    const token = params['progressToken'];
    const pending = typeof token === 'number' ? this.#pending.get(token) : undefined;
    pending?.progress.push([params['progress'] ?? null, params['total'] ?? null]);
    return pending !== undefined;
  }

  #answerServer(id: Json, method: string, params: JsonObject): void {
    const { elicitation } = this.#options;
    if (method === 'ping') {
      this.#send({ jsonrpc: '2.0', id, result: {} });
    } else if (method === 'elicitation/create' && elicitation !== undefined) {
      // The protocol does not say which call a question belongs to; tests that ask make one call at a time.
      for (const pending of this.#pending.values()) pending.questions.push(params);
      this.#send({ jsonrpc: '2.0', id, result: ELICITATION_RESULTS[elicitation] });
    } else {
      this.#send({ jsonrpc: '2.0', id, error: { code: -32601, message: `${method} is not supported` } });
    }
  }

  #fail(reason: string): void {
    this.#failure ??= new ServerFailure(reason);
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(this.#failure);
    }
    this.#pending.clear();
  }
}
