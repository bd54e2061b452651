/** Tools of the built server as an end-to-end test calls them, over either transport, with every promise checked. */
import { brokenPromises, outputSchemas, type OutputSchema } from './answer-checks.js';
import { isObject, shown, type JsonObject } from './json.js';
import { McpHttpClient } from './mcp-http-client.js';
import { McpStdioClient, type Answer } from './mcp-stdio-client.js';
import { makeScratchFolder, removeScratchFolder, serverCommand, serverEnvironment } from './server-under-test.js';

export type Transport = 'stdio' | 'streamable-http';

interface Client {
  initialize(): Promise<JsonObject>;
  callTool(name: string, args: JsonObject): Promise<Answer>;
  listAll(method: string, member: string): Promise<readonly JsonObject[]>;
  close(): Promise<unknown>;
}

/** A server under test with an empty data folder. */
export class ToolSession {
  readonly #client: Client;
  readonly #folder: string;
  readonly #schemas: ReadonlyMap<string, OutputSchema>;

  private constructor(client: Client, folder: string, schemas: ReadonlyMap<string, OutputSchema>) {
    this.#client = client;
    this.#folder = folder;
    this.#schemas = schemas;
  }

  static async start(transport: Transport, settings: Readonly<Record<string, string>>): Promise<ToolSession> {
    const folder = await makeScratchFolder();
    const environment = serverEnvironment(folder, settings);
    const client: Client =
      transport === 'stdio'
        ? new McpStdioClient({ command: serverCommand(), folder, environment })
        : await McpHttpClient.start(serverCommand(), folder, environment);
    try {
      await client.initialize();
      return new ToolSession(client, folder, outputSchemas(await client.listAll('tools/list', 'tools')));
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** The payload of a call. Throws when there is none, or when it breaks a promise that holds for every answer. */
  async call(tool: string, args: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.#client.callTool(tool, args);
    if (result === undefined) throw new Error(`${tool}: JSON-RPC error ${shown(error)}`);
    const broken = brokenPromises(result, this.#schemas.get(tool));
    if (broken.length > 0) throw new Error(`${tool} ${shown(args)}: ${broken.join('; ')}`);
    const payload = result['structuredContent'];
    if (!isObject(payload)) throw new Error(`${tool} ${shown(args)}: no structured content`);
    return payload;
  }

  /** All windows of a resource, by next_offset. */
  async walk(tool: string, args: JsonObject): Promise<readonly JsonObject[]> {
    const windows = [await this.call(tool, args)];
    for (let offset = windows.at(-1)?.['next_offset']; typeof offset === 'number';) {
      const window = await this.call(tool, { ...args, offset });
      windows.push(window);
      offset = window['next_offset'];
    }
    return windows;
  }

  async close(): Promise<void> {
    await this.#client.close();
    await removeScratchFolder(this.#folder);
  }
}
