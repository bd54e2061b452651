/**
 * Makes MCP servers: the low-level SDK server with our static tables behind its handlers. A server costs microseconds and
 * needs no service of ours until the first tool call or resource read, so that a client is greeted at once.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type CallToolResult,
  type InputRequiredResult,
  type jsonSchemaValidator,
  type ListToolsResult,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../common/json.js';
import type { EncodedAnswers } from './encoded-answers.js';
import { INSTRUCTIONS } from './instructions.js';
import { PROMPTS, renderPrompt } from './prompts/prompts.js';
import { POLICY_RESOURCE, type PolicyReader } from './resources/policy.resource.js';
import { internalFault } from './internal-fault.js';
import { encodeRefusal } from './tool-result.js';
import type { ToolRun, ToolRunner } from './tool-runner.js';
import type { Tool, ToolCall } from './tool.js';

/** The revision of 2026, served next to those that the SDK lists. */
export const STATELESS_REVISION = '2026-07-28';

/** What a server needs; the services are made on first use. */
export interface ServerParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly runner: () => Promise<ToolRunner>;
  readonly policy: () => Promise<PolicyReader>;
}

/** Lists change only with a new version of the server: clients may keep them for an hour. */
const LISTS_TTL_MS = 3_600_000;

const CONFIRM_FORM = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Confirm', description: 'Go ahead with this change.' } },
  required: ['confirm'],
};

const CONFIRM_KEY = 'confirm';

/**
 * The SDK asks for a validator of answers to a question. What counts in an answer is checked in {@link consentOf}, strictly,
 * so no JSON Schema library is loaded for it.
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
  readonly #toolList: JsonObject;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#toolList = { tools: parts.tools.map(listed) };
    const list = { ttlMs: LISTS_TTL_MS, cacheScope: 'public' } as const;
    this.#options = {
      capabilities: {
        experimental: {},
        tools: { listChanged: false },
        resources: { subscribe: false, listChanged: false },
        prompts: { listChanged: false },
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

  /** A server of its own, not connected yet. Results of tools go to `answers`, under the id of their request. */
  create(answers: EncodedAnswers): Server {
    const server = new Server({ name: 'gopher-mcp', version: this.#parts.version }, this.#options);
    server.setRequestHandler('tools/list', () => this.#listTools());
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.#callTool(server, answers, params.name, params.arguments ?? {}, context),
    );
    server.setRequestHandler('resources/list', () => ({ resources: [POLICY_RESOURCE] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      if (uri !== POLICY_RESOURCE.uri) throw new ResourceNotFoundError(uri);
      return { contents: (await this.#parts.policy()).contents() };
    });
    server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
    server.setRequestHandler('prompts/get', ({ params }) => {
      const rendered = renderPrompt(params.name, params.arguments ?? {});
      if (!rendered.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, rendered.error);
      return { ...rendered.value };
    });
    return server;
  }

  #listTools(): ListToolsResult {
    if (!isSpecType.ListToolsResult(this.#toolList)) throw new TypeError('the tool table is not a list of MCP tools');
    return this.#toolList;
  }

  async #callTool(
    server: Server,
    answers: EncodedAnswers,
    name: string,
    args: unknown,
    { mcpReq }: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const token = mcpReq._meta?.progressToken;
    const call: ToolCall = {
      signal: mcpReq.signal,
      consent: consentOf(server, mcpReq),
      progress: (progress, total) => {
        if (token === undefined) return;
        const params = { progressToken: token, progress, total, message: `${progress} of ${total} fetched` };
        // A client that does not take its progress loses nothing but that.
        mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
      },
    };
    const run = await this.#run(name, isJsonObject(args) ? args : {}, call);
    if (!run) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 64)}`);
    if (run.kind === 'question') {
      return inputRequired({
        inputRequests: { [CONFIRM_KEY]: inputRequired.elicit({ message: run.message, requestedSchema: CONFIRM_FORM }) },
      });
    }
    // Some clients lose a notification that arrives in one chunk with the result.
    if (token !== undefined) await new Promise((resolve) => setImmediate(resolve));
    answers.put(mcpReq.id, run.result.members);
    return { content: [], isError: run.result.isError };
  }

  /** Services that cannot be made are a fault of ours; whoever makes them logs it and tries again at the next call. */
  async #run(name: string, args: JsonObject, call: ToolCall): Promise<ToolRun | undefined> {
    const tool = this.#parts.tools.find((one) => one.name === name);
    if (!tool) return undefined;
    let runner: ToolRunner;
    try {
      runner = await this.#parts.runner();
    } catch {
      return { kind: 'result', result: encodeRefusal(internalFault(), tool.batch) };
    }
    return runner.run(name, args, call);
  }
}

/** What the client's person said to the question, if one was asked. Anything but a clear yes is a refusal. */
function consentOf(server: Server, { inputResponses, envelope }: ServerContext['mcpReq']): ToolCall['consent'] {
  if (inputResponses !== undefined && CONFIRM_KEY in inputResponses) {
    const answer = inputResponse(inputResponses, CONFIRM_KEY);
    const accepted = answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.['confirm'] === true;
    return accepted ? 'given' : 'refused';
  }
  // A stateless request declares its client's capabilities itself; a session declared them at its handshake.
  const declared = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  return isJsonObject(declared) && declared['elicitation'] !== undefined ? 'unasked' : 'unable';
}

function listed({ name, title, description, annotations, inputSchema, outputSchema }: Tool): JsonObject {
  return { name, title, description, inputSchema, outputSchema, annotations: { ...annotations } };
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
