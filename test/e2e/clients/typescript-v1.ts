/** The official TypeScript client of version 1. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CLIENT_INFO, textsOf, toolAnswer, type Connect, type ServerReach } from './official-client.js';

type Transport = Parameters<Client['connect']>[0];

/** Speaks the revisions with a handshake only. */
export const connectV1: Connect = async (server) => {
  let asked = 0;
  const client = new Client(CLIENT_INFO, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, () => {
    asked += 1;
    return { action: 'accept', content: { confirm: true } };
  });
  const transport = transportTo(server);
  // The client keeps the revision to itself, but tells its transport.
  let revision = '';
  const { setProtocolVersion } = transport;
  transport.setProtocolVersion = (version) => {
    revision = version;
    setProtocolVersion?.call(transport, version);
  };
  await client.connect(transport);
  return {
    revision,
    instructions: client.getInstructions() ?? '',
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, { signal, onProgress } = {}) =>
      toolAnswer(
        await client.callTool({ name, arguments: args }, undefined, {
          ...(signal ? { signal } : {}),
          ...(onProgress ? { onprogress: ({ progress, total }) => onProgress(progress, total) } : {}),
        }),
      ),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) =>
      (await client.readResource({ uri })).contents.map(({ mimeType = '', ...content }) => ({
        mimeType,
        text: 'text' in content ? content.text : '',
      })),
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) =>
      textsOf((await client.getPrompt({ name, arguments: { ...args } })).messages).join('\n'),
    asked: () => Promise.resolve(asked),
    close: () => client.close(),
  };
};

function transportTo(server: ServerReach): Transport {
  if ('url' in server) return new StreamableHTTPClientTransport(new URL(server.url));
  const { command, args, env, cwd } = server;
  return new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd, stderr: 'ignore' });
}
