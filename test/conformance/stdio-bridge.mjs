/**
 * Lets the suite, which speaks Streamable HTTP only, judge a server over stdio: each session becomes a server process, the
 * requests that declare their revision (2026-07-28) share another. Messages pass unchanged but for the ids of requests, which are made unique,
 * since several clients share a process. What a server sends before its answer goes to the request that it belongs to:
 * progress by its token, the rest to the youngest.
 *
 * HTTP is no part of what is judged here, so it is kept to the least that the suite's clients need.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const END_GRACE_MS = 5000;

/** The suite ends few of its sessions. */
const MAX_SESSIONS = 4;

/**
 * @param launch program, arguments and options for `spawn`
 * @returns the address for the suite, and how to end everything
 */
export async function startBridge(launch) {
  const sessions = new Map();
  let spare;
  let stateless;
  let other;

  const http = createServer((request, response) => {
    serve(request, response).catch((error) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });

  async function serve(request, response) {
    const sessionId = request.headers['mcp-session-id'];
    if (request.method === 'DELETE') {
      await sessions.get(sessionId)?.close();
      response.writeHead(sessions.delete(sessionId) ? 204 : 404).end();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST, DELETE' }).end();
      return;
    }
    const message = JSON.parse(await textOf(request));
    let server = sessions.get(sessionId);
    if (message.method === 'initialize') {
      const id = randomUUID();
      server = spare ?? new ServerProcess(launch);
      // Starting is what takes time: the next one starts while this one works.
      spare = new ServerProcess(launch);
      sessions.set(id, server);
      response.setHeader('mcp-session-id', id);
      if (sessions.size > MAX_SESSIONS) await endOldest();
    }
    // The first message decides for a process which era it speaks, so those that tell no revision go elsewhere.
    if (declaresRevision(message)) server ??= stateless ??= new ServerProcess(launch);
    else server ??= other ??= new ServerProcess(launch);
    server.take(message, response);
  }

  async function endOldest() {
    const [[id, server]] = sessions;
    sessions.delete(id);
    await server.close();
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    close: async () => {
      http.close();
      http.closeAllConnections();
      await Promise.all([...sessions.values(), spare, stateless, other].map((server) => server?.close()));
    },
  };
}

function declaresRevision({ params }) {
  return params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** One server over stdio, and the HTTP responses that wait for it. */
class ServerProcess {
  #child;
  #open = new Map();
  #nextId = 1;

  constructor({ program, args, options }) {
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#onMessage(JSON.parse(line)));
    // Nobody should wait for a server that has gone.
    this.#child.once('exit', () => {
      for (const { response } of this.#open.values()) response.destroy();
    });
  }

  /** A message of a client; its response is ended now, or with the answer. */
  take(message, response) {
    if (message.method === undefined || message.id === undefined) {
      this.#send(message);
      response.writeHead(202).end();
      return;
    }
    const id = this.#nextId++;
    this.#open.set(id, { id: message.id, token: message.params?._meta?.progressToken, response });
    this.#send({ ...message, id });
  }

  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #onMessage(message) {
    if (message.method === undefined) this.#answer(message);
    else this.#precede(message);
  }

  #answer(message) {
    const waiting = this.#open.get(message.id);
    if (waiting === undefined) return;
    const { id, response } = waiting;
    this.#open.delete(message.id);
    const answer = JSON.stringify({ ...message, id });
    if (response.headersSent) response.end(event(answer));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  #precede(message) {
    const waiting = [...this.#open.values()];
    const token = message.params?.progressToken;
    const { response } = waiting.find((one) => token !== undefined && one.token === token) ?? waiting.at(-1) ?? {};
    if (response === undefined) return;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(JSON.stringify(message)));
  }
}

function event(data) {
  return `event: message\ndata: ${data}\n\n`;
}
