/**
 * A small MCP client over Streamable HTTP, with a server process of its own on a free loopback port. Like the one for
 * stdio it uses no MCP SDK.
 */
import { HttpServerProcess } from './http-server-process.js';
import { isArray, isObject, shown, type JsonObject } from './json.js';
import { PROTOCOL_VERSION, ServerFailure, type Answer } from './mcp-stdio-client.js';
import type { ServerCommand } from './server-under-test.js';

const ANSWER_TIMEOUT_MS = 60_000;

/** One server process and one session with it. */
export class McpHttpClient {
  readonly #server: HttpServerProcess;
  #sessionId: string | undefined;
  #lastId = 0;

  private constructor(server: HttpServerProcess) {
    this.#server = server;
  }

  /** Starts the server and waits until it is healthy. Call {@link initialize} next and {@link close} in the end. */
  static async start(
    command: ServerCommand,
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<McpHttpClient> {
    return new McpHttpClient(await HttpServerProcess.start(command, folder, environment));
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
    this.#server.traffic.sent(params['arguments'] ?? params);
    const response = await this.#post({ jsonrpc: '2.0', id, method, params });
    const body = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const messages = type.startsWith('text/event-stream') ? eventData(body) : [body];
    for (const text of messages) {
      const message: unknown = JSON.parse(text);
      if (!isObject(message) || message['id'] !== id) continue;
      const { result, error } = message;
      this.#server.traffic.received(result ?? error);
      return {
        result: isObject(result) ? result : undefined,
        error: isObject(error) ? error : undefined,
        progress: [],
        questions: [],
      };
    }
    throw new ServerFailure(`no answer to ${method} in HTTP ${response.status}: ${shown(body)}`);
  }

  /** Ends the server. */
  close(): Promise<void> {
    return this.#server.close();
  }

  async #post(message: JsonObject): Promise<Response> {
    const response = await fetch(`${this.#server.origin}/mcp`, {
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
}

/** The data of each event of a finished stream. */
function eventData(stream: string): readonly string[] {
  return stream
    .split(/\r?\n\r?\n/)
    .map((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:')))
    .map((lines) => lines.map((line) => line.slice('data:'.length).trimStart()).join('\n'))
    .filter((data) => data !== '');
}
