/**
 * Makes MCP servers: the low-level SDK server with our static tables behind its handlers. A server costs microseconds and
 * needs no service of ours until the first tool call or resource read, so that a client is greeted at once.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  specTypeSchemas,
  SUPPORTED_PROTOCOL_VERSIONS,
  type jsonSchemaValidator,
  type ListToolsResult,
  type RequestId,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { CallObserver } from '../common/call-observer.port.js';
import type { JsonObject } from '../common/json.js';
import type { Result } from '../common/result.js';
import type { ServerLink } from './caller.js';
import { complete } from './completions.js';
import { INSTRUCTIONS } from './instructions.js';
import type { McpServices } from './mcp-services.js';
import { PROMPTS, renderPrompt } from './prompts/prompts.js';
import { ResourceReads } from './resource-reads.js';
import { listedTemplate, type PageTemplate } from './resources/page-template.js';
import { POLICY_RESOURCE } from './resources/policy.resource.js';
import { isPersonal, visibleTools } from './served-tools.js';
import { ToolCalls } from './tool-calls.js';
import type { Tool } from './tool.js';

/** The revision of 2026, served next to those that the SDK lists. */
export const STATELESS_REVISION = '2026-07-28';

/** What a server needs. */
export interface ServerParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly templates: readonly PageTemplate[];
  /** Made at the first call that needs them; rejects when they cannot be made. */
  readonly services: () => Promise<McpServices>;
  /** Is told of every tool call and resource read; undefined = nobody is. */
  readonly observer?: CallObserver | undefined;
  /** How long a person has for the answer to a question, milliseconds; ten minutes by default. */
  readonly answerWithinMs?: number;
}

/** Lists change only with a new version of the server: clients may keep them for an hour. */
const LISTS_TTL_MS = 3_600_000;

/**
 * The SDK asks for a validator of answers to a question. What counts in an answer is checked in confirmation.ts, strictly, so
 * no JSON Schema library is loaded for it.
 */
const ANY_ANSWER: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown) =>
      isAnswer<T>(input)
        ? { valid: true, data: input, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: 'not an object' },
};

function isAnswer<T>(input: unknown): input is T {
  return typeof input === 'object' && input !== null;
}

/** See the file's header. */
export class ServerFactory {
  readonly #parts: ServerParts;
  readonly #options: ServerOptions;
  #toolList: Buffer | undefined;
  readonly #partsOfList = new Map<string, Buffer>();

  constructor(parts: ServerParts) {
    this.#parts = parts;
    const list = { ttlMs: LISTS_TTL_MS, cacheScope: 'public' } as const;
    this.#options = {
      capabilities: {
        experimental: {},
        tools: { listChanged: false },
        resources: { subscribe: false, listChanged: false },
        prompts: { listChanged: false },
        completions: {},
        logging: {},
      },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS, STATELESS_REVISION],
      cacheHints: {
        'tools/list': list,
        'prompts/list': list,
        'resources/list': list,
        'resources/templates/list': list,
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
      jsonSchemaValidator: ANY_ANSWER,
    };
  }

  /** A server of its own, not connected yet, for the transport at the other end of `link`. */
  create(link: ServerLink): Server {
    const server = new Server({ name: 'gopher-mcp', version: this.#parts.version }, this.#options);
    const calls = new ToolCalls(this.#parts, link, server);
    const reads = new ResourceReads(this.#parts, link, server);
    const params = specTypeSchemas;

    // Given the form of its parameters, the SDK answers others with -32602; without it, with -32603.
    const list = { params: params.PaginatedRequestParams };
    server.setRequestHandler('tools/list', list, (_params, { mcpReq }) => this.#listTools(link, mcpReq.id));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, { mcpReq }) =>
      calls.answer(name, args, mcpReq),
    );
    server.setRequestHandler('resources/list', list, () => ({ resources: [POLICY_RESOURCE] }));
    server.setRequestHandler('resources/templates/list', list, (_params, { mcpReq }) =>
      scoped({ resourceTemplates: reads.templates(mcpReq.id).map(listedTemplate) }, link, mcpReq.id),
    );
    server.setRequestHandler('resources/read', { params: params.ReadResourceRequestParams }, ({ uri }, { mcpReq }) =>
      reads.answer(uri, mcpReq),
    );
    server.setRequestHandler('prompts/list', list, () => ({ prompts: [...PROMPTS] }));
    server.setRequestHandler(
      'prompts/get',
      { params: params.GetPromptRequestParams },
      ({ name, arguments: args = {} }) => ({
        ...valid(renderPrompt(name, args)),
      }),
    );
    server.setRequestHandler('completion/complete', { params: params.CompleteRequestParams }, (request, { mcpReq }) => {
      const { visits } = link.callerOf(mcpReq.id).memory ?? {};
      return { completion: { ...valid(complete(request, reads.templates(mcpReq.id), visits)) } };
    });
    // In place of the SDK's own, which keeps one level for all clients of a server.
    server.setRequestHandler(
      'logging/setLevel',
      { params: params.SetLevelRequestParams },
      async ({ level }, { mcpReq }) => {
        const { memory } = link.callerOf(mcpReq.id);
        if (!memory)
          throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'A log level belongs to a session; there is none.');
        await memory.setLogLevel(level);
        return {};
      },
    );
    return server;
  }

  /** The whole list is serialised once: it is what every client asks for first, and far the longest of all constant answers. */
  #listTools(link: ServerLink, requestId: RequestId): ListToolsResult {
    const visible = visibleTools(this.#parts.tools, link.callerOf(requestId));
    link.answers.put(
      requestId,
      visible === this.#parts.tools ? (this.#toolList ??= toolList(visible)) : this.#partOfList(visible),
    );
    return scoped({ tools: [] }, link, requestId);
  }

  /** Callers with the same scopes see the same part. */
  #partOfList(visible: readonly Tool[]): Buffer {
    const key = visible.map(({ name }) => name).join();
    const known = this.#partsOfList.get(key);
    if (known !== undefined) return known;
    const list = toolList(visible);
    if (this.#partsOfList.size < MAX_KEPT_PARTS) this.#partsOfList.set(key, list);
    return list;
  }
}

/** Parts of the list of tools that are kept serialised. */
const MAX_KEPT_PARTS = 16;

/** For a list that depends on who asks: not to be kept for others, nor for the same caller's next request. */
const PRIVATE = { ttlMs: 0, cacheScope: 'private' } as const;

function scoped<T extends object>(list: T, link: ServerLink, requestId: RequestId): T {
  if (!link.stateless || !isPersonal(link.callerOf(requestId))) return list;
  return { ...list, ...PRIVATE };
}

function valid<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, result.error);
}

/** The member `tools` of a result. */
function toolList(tools: readonly Tool[]): Buffer {
  return Buffer.from(`"tools":${JSON.stringify(tools.map(listed))}`);
}

/** A tool as clients see it. */
export function listed({ name, title, description, annotations, inputSchema, outputSchema }: Tool): JsonObject {
  return { name, title, description, inputSchema, outputSchema, annotations: { ...annotations } };
}
