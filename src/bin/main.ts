/**
 * The program: reads arguments and settings, picks a transport, stops on signals. The only place that touches `process`.
 *
 * Exit codes: 0 after a stop that was asked for, 1 for a fault, 2 for wrong arguments or settings.
 */
import { readFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { asError } from '../common/thrown.js';
import { formatProblem, loadConfig, printConfig, type Config, type ConfigProblem } from '../config/index.js';
import { homeDirectory } from '../file-store/io/locate-state.js';
import { openLog, type OpenedLog } from '../logging/index.js';
import { servedTools } from '../mcp/served-tools.js';
import { TOOL_TABLE } from '../mcp/tool-table.js';
import { DANGEROUS_PORTS } from '../safety/core/port-policy.js';
import { parseArguments } from './arguments.js';
import { stopOnSignals } from './stop.js';

const { version } = packageJson;

await main();

async function main(): Promise<void> {
  const asked = parseArguments(process.argv.slice(2));
  switch (asked.kind) {
    case 'help':
      process.stdout.write(asked.text);
      return;
    case 'version':
      process.stdout.write(`gopher-mcp ${version}\n`);
      return;
    case 'refused':
      process.stderr.write(asked.text);
      process.exitCode = 2;
      return;
  }
  const loaded = loadConfig(process.env, {
    flags: asked.flags,
    envFile: readEnvFile(),
    toolNames: TOOL_TABLE.map(({ name }) => name),
    closedPorts: DANGEROUS_PORTS,
  });
  if (!loaded.ok) return refuse(loaded.error);
  const opened = openLog(loaded.value.server);
  if (!opened.ok) return refuse(opened.error);
  const config = loaded.value;
  switch (asked.kind) {
    case 'print-config':
      process.stdout.write(printConfig(config));
      return;
    case 'check':
      for (const notice of config.notices) opened.value.log.warning(notice.event, notice.fields);
      process.stdout.write('The configuration is valid.\n');
      return;
    case 'serve':
      return serve(config, opened.value);
  }
}

async function serve(config: Config, opened: OpenedLog): Promise<void> {
  const { log } = opened;
  for (const notice of config.notices) log.warning(notice.event, notice.fields);
  const options = {
    version,
    config,
    log,
    surroundings: { env: process.env, platform: process.platform, home: homeDirectory(process.env) },
    tools: servedTools(TOOL_TABLE, config.server),
  };
  switch (config.gateway.transport) {
    case 'stdio': {
      const { serveStdio } = await import('./serve-stdio.js');
      const server = serveStdio(options, process.stdin, process.stdout);
      await stopOnSignals(process, server.ended, () => server.close(), log);
      return;
    }
    case 'sse':
    case 'streamable-http': {
      const { serveHttp } = await import('./serve-http.js');
      try {
        const server = await serveHttp(options, opened);
        announce(server.url, config);
        await stopOnSignals(process, new Promise(() => undefined), () => server.close(), log);
      } catch (error) {
        refuse([unusableAddress(config, asError(error))]);
      }
    }
  }
}

function refuse(problems: readonly ConfigProblem[]): void {
  for (const problem of problems) process.stderr.write(`${formatProblem(problem)}\n`);
  process.exitCode = 2;
}

/** For the person who started the server: what it serves, and how to connect. */
function announce(url: string, { server }: Config): void {
  if (!process.stderr.isTTY && server.structuredLogging && process.env['npm_lifecycle_event'] !== 'start') return;
  process.stderr.write(
    [
      `gopher-mcp ${version} serves MCP at ${url}/mcp (health: ${url}/health).`,
      `Connect a client, for example: claude mcp add --transport http gopher-mcp ${url}/mcp`,
      'Stop with Ctrl+C.',
      '',
    ].join('\n'),
  );
}

function readEnvFile(): Uint8Array | null {
  try {
    return readFileSync('.env');
  } catch {
    return null;
  }
}

function unusableAddress({ gateway: { host, port } }: Config, error: Error): ConfigProblem {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return { name: 'GOPHER_MCP_HOST and GOPHER_MCP_PORT', requirement: `must be an address that can be listened on (${code})`, rejected: `${host}:${port}` };
}
