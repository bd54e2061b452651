import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { loadConfig } from '../../src/config/index.js';
import { openLog } from '../../src/logging/index.js';
import { ServerFactory } from '../../src/mcp/server-factory.js';
import { servedTemplates, TEMPLATE_TABLE, type PageTemplate } from '../../src/mcp/index.js';
import type { Tool } from '../../src/mcp/tool.js';
import { connectStdio } from '../../src/mcp/transports/stdio/index.js';
import { isObject } from './json.js';
import { Traffic } from './traffic.js';
import { buildServiceGraph, type ServiceGraph } from '../../src/service-graph.js';

/** A client over an in-memory pair of streams, and how to end both sides. */
export interface ConnectedClient {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** Builds the real graph for `tools` with these variables, and connects the official client to it. */
export async function connectClient(
  tools: readonly Tool[],
  env: Record<string, string>,
  templates: readonly PageTemplate[] = servedTemplates(TEMPLATE_TABLE, tools),
): Promise<ConnectedClient> {
  const config = loadConfig(env);
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const traffic = new Traffic();
  const opened = openLog(config.value.server, { stderr: { write: (line) => traffic.logged(line) } });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const machine = { env, platform: process.platform };
  const graph = await buildServiceGraph({
    version: '0.0.0',
    config: config.value,
    log: opened.value.log,
    machine,
    tools,
    templates,
  });
  const services = (): Promise<ServiceGraph> => Promise.resolve(graph);
  const factory = new ServerFactory({ version: '0.0.0', tools, templates, services });
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const connection = connectStdio(factory, {
    input: toServer,
    output: toClient,
    onGreeted: () => undefined,
    onError: () => undefined,
  });
  const client = new Client({ name: 'test', version: '0' }, { capabilities: {} });
  await client.connect(streamTransport(toServer, toClient, traffic));
  return {
    client,
    close: async () => {
      await client.close();
      await connection.close();
      await graph.close();
    },
  };
}

type ClientTransport = Parameters<Client['connect']>[0];

function streamTransport(output: PassThrough, input: PassThrough, traffic: Traffic): ClientTransport {
  let pending = '';
  const transport: ClientTransport = {
    start: () => {
      input.setEncoding('utf8');
      input.on('data', (piece: string) => {
        const lines = (pending + piece).split('\n');
        pending = lines.pop() ?? '';
        for (const line of lines) {
          const message = JSON.parse(line);
          traffic.received(message.result ?? message.error);
          transport.onmessage?.(message);
        }
      });
      return Promise.resolve();
    },
    send: (message) => {
      const params = JSON.parse(JSON.stringify('params' in message ? (message.params ?? {}) : {}));
      traffic.sent(isObject(params['arguments']) ? params['arguments'] : params);
      output.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => {
      output.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
