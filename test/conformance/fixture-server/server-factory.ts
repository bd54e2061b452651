/**
 * Takes the place of src/mcp/server-factory.ts when the server is bundled for the conformance suite (build.mjs): the product's
 * servers, with the tools, resources and prompts whose names and behaviour the suite's scenarios fix instead of its own. All
 * that carries them is the product: options, handshake, discovery, log level, dispatcher, transports, spliced answers. Its own
 * tools are judged by the suite's scenarios that need no fixtures, and by the tests of this repository.
 */
import {
  isCallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  specTypeSchemas,
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  type RequestId,
  type Server,
} from '@modelcontextprotocol/server';
import type { ServerLink } from '../../../src/mcp/caller.js';
import { isJsonObject } from '../../../src/common/json.js';
import { ServerFactory as ProductFactory } from '../../../src/mcp/server-factory.js';
import { CONTENT_TOOLS } from './content-tools.js';
import { fixtureCall, type FixtureTool } from './fixture.js';
import { completeFixture, FIXTURE_PROMPTS, renderFixture } from './prompts.js';
import { QUESTION_TOOLS } from './question-tools.js';
import { FIXTURE_RESOURCES, FIXTURE_TEMPLATES, readFixture } from './resources.js';
import { ROUND_TRIP_TOOLS } from './round-trip-tools.js';

export * from '../../../src/mcp/server-factory.js';

const TOOLS: readonly FixtureTool[] = [...CONTENT_TOOLS, ...QUESTION_TOOLS, ...ROUND_TRIP_TOOLS];

/** See the file's header. */
export class ServerFactory extends ProductFactory {
  override create(link: ServerLink): Server {
    const server = super.create(link);
    const params = specTypeSchemas;
    server.setRequestHandler('tools/list', () => TOOL_LIST);
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, context) => {
      const tool = TOOLS.find((one) => one.name === name);
      if (!tool) throw unknown('tool');
      const result = await tool.run(fixtureCall(context, isJsonObject(args) ? args : {}, link));
      return isCallToolResult(result) ? encoded(result, link, context.mcpReq.id) : result;
    });
    server.setRequestHandler('resources/list', () => ({ resources: FIXTURE_RESOURCES }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: FIXTURE_TEMPLATES }));
    server.setRequestHandler('resources/read', { params: params.ReadResourceRequestParams }, ({ uri }) => {
      const contents = readFixture(uri);
      if (!contents) throw new ResourceNotFoundError(uri);
      return contents;
    });
    server.setRequestHandler('prompts/list', () => ({ prompts: FIXTURE_PROMPTS }));
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
      const prompt = renderFixture(name, args, mcpReq.inputResponses);
      if (!prompt) throw unknown('prompt');
      return prompt;
    });
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
      const completion = ref.type === 'ref/prompt' ? completeFixture(ref.name, argument.value) : undefined;
      if (!completion) throw unknown('reference');
      return completion;
    });
    return server;
  }
}

const TOOL_LIST: ListToolsResult = {
  tools: TOOLS.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
  })),
};

/** Leaves the content for the transport to splice in, as the product's tools do. */
function encoded(
  { content, ...rest }: CallToolResult,
  { answers }: ServerLink,
  id: RequestId,
): CallToolResult | InputRequiredResult {
  answers.put(id, Buffer.from(`"content":${JSON.stringify(content)}`));
  return { ...rest, content: [] };
}

function unknown(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such ${what} here.`);
}
