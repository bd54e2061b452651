/** The official TypeScript client of version 2. */
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLIENT_INFO, textsOf, toolAnswer, type Connect, type ServerReach } from './official-client.js';

type Transport = Parameters<Client['connect']>[0];

/** How the client finds out what the server speaks. */
export type Negotiation = NonNullable<ClientOptions['versionNegotiation']>['mode'];

/** A client that negotiates in one of the ways it offers. */
export function connectV2(mode: Negotiation): Connect {
  return async (server) => {
    let asked = 0;
    const client = new Client(CLIENT_INFO, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { ...(mode === undefined ? {} : { mode }) },
    });
    client.setRequestHandler('elicitation/create', () => {
      asked += 1;
      return { action: 'accept', content: { confirm: true } };
    });
    await client.connect(transportTo(server));
    return {
      revision: client.getNegotiatedProtocolVersion() ?? '',
      instructions: client.getInstructions() ?? '',
      listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args, { signal, onProgress } = {}) =>
        toolAnswer(
          await client.callTool(
            { name, arguments: args },
            {
              ...(signal ? { signal } : {}),
              ...(onProgress ? { onprogress: ({ progress, total }) => onProgress(progress, total) } : {}),
            },
          ),
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
}

function transportTo(server: ServerReach): Transport {
  if ('url' in server) return new StreamableHTTPClientTransport(new URL(server.url));
  const { command, args, env, cwd } = server;
  return new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd, stderr: 'ignore' });
}
