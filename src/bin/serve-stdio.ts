/**
 * Serves one client over stdin and stdout. The client is greeted before the services exist: the handshake and the lists need
 * only static tables. The graph is built right after the first answer, or by the first call that needs it.
 */
import type { Readable, Writable } from 'node:stream';
import type { AppOptions } from '../app.module.js';
import { asError } from '../common/thrown.js';
import { ServerFactory } from '../mcp/server-factory.js';
import { connectStdio } from '../mcp/transports/stdio/index.js';
import type { ServiceGraph } from '../service-graph.js';

/** A client that is served. */
export interface StdioServer {
  /** Resolves when the client has gone. */
  readonly ended: Promise<void>;
  /** Ends the connection and the services behind it. */
  close(): Promise<void>;
}

/** See the file's header. */
export function serveStdio(options: AppOptions, input: Readable, output: Writable): StdioServer {
  const { version, tools, templates, log, calls } = options;
  let building: Promise<ServiceGraph> | undefined;
  const services = (): Promise<ServiceGraph> => (building ??= build(options));
  const factory = new ServerFactory({ version, tools, templates, services, observer: calls });
  const connection = connectStdio(factory, {
    input,
    output,
    onGreeted: () => {
      // A failure shows in the call that needs the services, which tries again.
      services().catch((error: unknown) => log.error('services not available', { error: asError(error) }));
    },
    onError: (error) => log.warning('connection trouble', { error }),
  });
  return {
    ended: connection.ended,
    close: async () => {
      await connection.close();
      await (await building)?.close();
    },
  };

  async function build(all: AppOptions): Promise<ServiceGraph> {
    try {
      const { buildServiceGraph } = await import('../service-graph.js');
      return await buildServiceGraph(all);
    } catch (error) {
      building = undefined;
      throw error;
    }
  }
}
