/**
 * Two instances of the built server behind HAProxy, as config/haproxy.cfg has it. Under constant load one is restarted, then the
 * other: no call may be lost, whatever the client.
 */
import { Agent, request } from 'node:https';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ask } from '../support/json-rpc-post.js';
import { freePort, Program, replaceOnce } from '../support/program.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  REPOSITORY,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';
import { LOCAL_GOPHER } from '../support/small-gopher.js';
import { testCertificate } from '../support/test-certificates.js';

jest.setTimeout(180_000);

const HOST = 'gopher-mcp.example.org';
const CALLERS_OF_EACH_KIND = 4;

/** Milliseconds that the Gopher server takes, in turn. */
const ANSWER_AFTER_MS = [5, 400, 40, 900, 150];

let folder: string;
let gopher: Server;
let balancer: Program;
let balancerPort: number;
let instances: readonly [Instance, Instance];

/** One of the two, at an address that survives its restarts. */
class Instance {
  #program: Program | undefined;

  private constructor(
    private readonly name: string,
    readonly port: number,
    private readonly metricsPort: number,
  ) {}

  static async start(name: string): Promise<Instance> {
    const instance = new Instance(name, await freePort(), await freePort());
    await instance.start();
    return instance;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    const { program, args } = serverCommand();
    const settings = {
      ...LOCAL_GOPHER,
      GOPHER_MAX_CONCURRENT_REQUESTS: '100',
      GOPHER_MCP_ALLOWED_HOSTS: HOST,
      GOPHER_MCP_DRAIN_SECONDS: '8',
      GOPHER_MCP_LOG_LEVEL: 'INFO',
      GOPHER_MCP_METRICS_PORT: String(this.metricsPort),
    };
    const started = await Program.start(
      program,
      [...args, '--transport', 'streamable-http', '--port', String(this.port)],
      { env: serverEnvironment(folder, settings), cwd: folder },
    );
    this.#program = started;
    await started.until(async () => {
      const answer = await ask(`http://127.0.0.1:${this.port}/health/ready`).catch(() => undefined);
      return answer?.status === 200;
    });
  }

  /** Resolves when it has answered calls since its start. */
  async served(): Promise<void> {
    await this.#program?.until(async () => (await this.calls()) > 20);
  }

  /** Calls answered since its start. */
  async calls(): Promise<number> {
    const { body } = await ask(`http://127.0.0.1:${this.metricsPort}/metrics`);
    const [, calls] = /^gopher_mcp_tool_calls_total\{tool="gopher_fetch",outcome="ok"\} (\d+)$/m.exec(body) ?? [];
    return Number(calls ?? 0);
  }

  /** Its exit code, and what it said of its end. */
  async stop(): Promise<{ code: number | null; told: string }> {
    const code = await this.#program?.stop();
    return { code: code ?? null, told: this.#program?.output ?? '' };
  }

  toString(): string {
    return this.name;
  }
}

beforeAll(async () => {
  folder = await makeScratchFolder();
  let asked = 0;
  gopher = createServer((socket) => {
    socket.on('error', () => undefined);
    const afterMs = ANSWER_AFTER_MS[asked++ % ANSWER_AFTER_MS.length];
    socket.once('data', (line) => void setTimeout(() => socket.end(`you asked for ${String(line)}`), afterMs));
  }).listen(0, '127.0.0.1');
  await once(gopher, 'listening');
  instances = [await Instance.start('one'), await Instance.start('two')];

  const { certPem, keyPem } = await testCertificate({ subject: `CN=${HOST}` });
  const pem = path.join(folder, 'balancer.pem');
  await writeFile(pem, certPem + keyPem, { mode: 0o600 });
  balancerPort = await freePort();
  let text = readFileSync(path.join(REPOSITORY, 'config', 'haproxy.cfg'), 'utf8');
  text = replaceOnce(text, 'bind :443', `bind 127.0.0.1:${balancerPort}`);
  text = replaceOnce(text, '/etc/haproxy/gopher-mcp.pem', pem);
  text = replaceOnce(text, 'gopher-mcp-1.internal:8000', `127.0.0.1:${instances[0].port}`);
  text = replaceOnce(text, 'gopher-mcp-2.internal:8000', `127.0.0.1:${instances[1].port}`);
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  balancer = await Program.start('haproxy', ['-db', '-f', file], {}, 'test/operations/install.sh');
  await balancer.until(() =>
    post(LIST).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
});

afterAll(async () => {
  await balancer.stop('SIGINT');
  await Promise.all(instances.map((instance) => instance.stop()));
  gopher.close();
  await removeScratchFolder(folder);
});

interface Answer {
  readonly status: number | undefined;
  readonly session: string | undefined;
  readonly body: string;
}

const LIST = { method: 'tools/list', params: {} };

/** One request to the balancer. */
function post(message: object, headers: Record<string, string> = {}, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: balancerPort,
        path: '/mcp',
        method: 'POST',
        rejectUnauthorized: false,
        agent: agent ?? new Agent(),
        headers: {
          host: HOST,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
      },
      (incoming) => {
        let body = '';
        incoming.setEncoding('utf8').on('data', (piece) => (body += String(piece)));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const session = incoming.headers['mcp-session-id'];
          resolve({ status: incoming.statusCode, session: typeof session === 'string' ? session : undefined, body });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  });
}

/** The two ways in which clients without a session call, with the headers that each wants. */
const KINDS = {
  handshake: { headers: { 'mcp-protocol-version': '2025-11-25' }, meta: undefined },
  stateless: {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'gopher_fetch' },
    meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
} as const;

/** Calls that are made without a pause until they are told to stop. */
class Load {
  readonly failures: string[] = [];
  calls = 0;
  #isOver = false;
  readonly #callers: Promise<void>[] = [];

  begin(): void {
    for (const kind of ['handshake', 'stateless'] as const)
      for (let caller = 0; caller < CALLERS_OF_EACH_KIND; caller++) this.#callers.push(this.#call(kind, caller));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #call(kind: keyof typeof KINDS, caller: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { headers, meta } = KINDS[kind];
    const { port } = gopher.address() as AddressInfo;
    for (let turn = 0; !this.#isOver; turn++) {
      const selector = `/${kind}/${caller}/${turn}`;
      const url = `gopher://127.0.0.1:${port}/0${selector}`;
      const params = { name: 'gopher_fetch', arguments: { url }, ...(meta && { _meta: meta }) };
      this.calls++;
      const outcome = await post({ method: 'tools/call', params }, headers, agent).then(
        ({ status, body }) =>
          status === 200 && body.includes(`you asked for ${selector}`) ? null : `${status} ${body}`,
        (error: unknown) => String(error),
      );
      if (outcome !== null) this.failures.push(`${selector}: ${outcome.slice(0, 300)}`);
    }
    agent.destroy();
  }
}

test('a rolling restart under constant load loses no call', async () => {
  const load = new Load();
  load.begin();
  try {
    await restartEach();
  } finally {
    await load.end();
  }
  expect(load.failures).toEqual([]);
  expect(load.calls).toBeGreaterThan(100);
});

async function restartEach(): Promise<void> {
  for (const instance of instances) {
    await instance.served();
    const { code, told } = await instance.stop();
    expect([String(instance), code]).toEqual([String(instance), 0]);
    expect(told).toContain('"event":"draining"');
    expect(told).not.toMatch(/"event":"(calls cut off|not stopped in time|stopped with trouble)"/);
    await instance.start();
    await instance.served();
  }
}

test('the requests of a session reach the instance that opened it', async () => {
  for (let round = 0; round < 4; round++) {
    const opened = await post({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    });
    const headers = { 'mcp-session-id': opened.session ?? 'none', 'mcp-protocol-version': '2025-11-25' };
    for (let turn = 0; turn < 6; turn++) expect((await post(LIST, headers)).status).toBe(200);
  }
});
