/** A server under load: started, spoken to over stdio in bare JSON-RPC, measured from outside. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
/** An answer that is a failure; both text block and structured content hold it. */
const FAILURES = [Buffer.from('"isError":true'), Buffer.from('"error":{"code":-')];

/** The settings that all contenders get: this machine may be read, nothing waits for a turn. */
function settings(more) {
  const both = {
    ALLOW_LOCAL_HOSTS: 'true',
    REQUESTS_PER_MINUTE: '0',
    MAX_CONCURRENT_REQUESTS: '0',
    RESPECT_ROBOTS_TXT: 'false',
    CACHE_ENABLED: 'false',
    MAX_RESPONSE_SIZE: '4194304',
    ...more,
  };
  return Object.fromEntries(
    Object.entries(both).flatMap(([name, value]) => [
      [`GOPHER_${name}`, value],
      [`GEMINI_${name}`, value],
    ]),
  );
}

/** See the file's header. */
export class Contender {
  #chunks = [];
  #waiting = [];
  #lastId = 0;

  /** Starts `command` (program and arguments) and greets it. @param more settings of both protocols, without prefix */
  static async start(command, more = {}) {
    const contender = new Contender(command, more);
    await contender.request('initialize', INITIALIZE);
    contender.coldMs = performance.now() - contender.startedMs;
    contender.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return contender;
  }

  constructor([program, ...args], more) {
    this.home = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-bench-'));
    const { PATH } = process.env;
    const env = { PATH, HOME: this.home, XDG_DATA_HOME: this.home, GOPHER_MCP_LOG_LEVEL: 'ERROR', ...settings(more) };
    this.startedMs = performance.now();
    this.process = spawn(program, args, { cwd: this.home, env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin.on('error', () => undefined);
    this.process.stdout.on('data', (chunk) => this.#onChunk(chunk));
  }

  /** Milliseconds until the answer to one request is there. */
  async timed(method, params) {
    const startedMs = performance.now();
    await this.request(method, params);
    return performance.now() - startedMs;
  }

  /** The line of the answer; answers come in any order, and this counts on none. */
  request(method, params = {}) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method, params })}\n`);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Calls a tool again and again, `width` calls at a time; calls a second and milliseconds of CPU a call. */
  async pump(call, calls, width) {
    const cpuMs = this.cpuMs();
    const startedMs = performance.now();
    let made = 0;
    const lane = async () => {
      while (made < calls) await this.request('tools/call', call(made++));
    };
    await Promise.all(Array.from({ length: width }, lane));
    const seconds = (performance.now() - startedMs) / 1000;
    return { rate: calls / seconds, cpuMs: (this.cpuMs() - cpuMs) / calls };
  }

  /** CPU time of all its threads so far; NaN where the system does not tell. */
  cpuMs() {
    try {
      const tasks = `/proc/${this.process.pid}/task`;
      const spent = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
      return spent.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
    } catch {
      return NaN;
    }
  }

  /** Resident memory in MiB; NaN where the system does not tell. */
  rssMib() {
    try {
      const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'));
      return Number(found?.[1]) / 1024;
    } catch {
      return NaN;
    }
  }

  async stop() {
    this.process.stdin.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await this.ended;
    clearTimeout(timer);
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Notifications are none of ours: nobody asked for any. */
  #onChunk(chunk) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#chunks, chunk.subarray(from, at)]);
      this.#chunks = [];
      from = at + 1;
      const next = this.#waiting.shift();
      const failed = FAILURES.some((mark) => line.includes(mark));
      if (failed) next?.reject(new Error(`a call failed: ${line.toString().slice(0, 400)}`));
      else next?.resolve(line);
    }
    if (from < chunk.length) this.#chunks.push(chunk.subarray(from));
  }
}
