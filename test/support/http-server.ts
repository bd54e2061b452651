import { startRecording } from '../../src/bin/recording.js';
import { serveHttp, type HttpServer } from '../../src/bin/serve-http.js';
import { loadConfig } from '../../src/config/index.js';
import { openLog } from '../../src/logging/index.js';
import { servedTemplates, TEMPLATE_TABLE, type PageTemplate } from '../../src/mcp/index.js';
import type { Tool } from '../../src/mcp/tool.js';

/** Serves `tools` over HTTP on a free loopback port, with these variables; log lines go to `log`. */
export async function startHttpServer(
  tools: readonly Tool[],
  env: Record<string, string> = {},
  log: string[] = [],
  templates: readonly PageTemplate[] = servedTemplates(TEMPLATE_TABLE, tools),
): Promise<HttpServer> {
  const config = loadConfig({ GOPHER_MCP_PORT: '0', GOPHER_MCP_TRANSPORT: 'streamable-http', ...env });
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const opened = openLog(config.value.server, { stderr: { write: (line) => void log.push(line) } });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const machine = { env, platform: process.platform };
  const { log: records } = opened.value;
  const recording = await startRecording(config.value, { version: '0.0.0', log: records, env, globals: globalThis });
  if (!recording.ok) throw new Error(JSON.stringify(recording.error));
  const { close: closeRecords, ...recorded } = recording.value;
  const server = await serveHttp(
    { version: '0.0.0', config: config.value, log: records, machine, tools, templates, ...recorded },
    opened.value,
  );
  return {
    ...server,
    close: async (giveNotice) => {
      await server.close(giveNotice);
      await closeRecords();
    },
  };
}
