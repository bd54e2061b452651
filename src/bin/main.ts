/**
 * The program: reads arguments and settings, picks a transport, stops on signals. The only place that touches `process`.
 *
 * Exit codes: 0 after a stop that was asked for, 1 for a fault, 2 for wrong arguments or settings.
 */
import { readFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { DANGEROUS_PORTS } from '../common/net/dangerous-ports.js';
import { err, ok, type Result } from '../common/result.js';
import { asError } from '../common/thrown.js';
import {
  ConfigError,
  formatProblem,
  loadConfig,
  printConfig,
  type Config,
  type ConfigProblem,
  type Flags,
} from '../config/index.js';
import { openLog, type Log, type OpenedLog } from '../logging/index.js';
import { servedTools } from '../mcp/served-tools.js';
import { servedTemplates, TEMPLATE_TABLE } from '../mcp/template-table.js';
import { TOOL_TABLE } from '../mcp/tool-table.js';
import { parseArguments } from './arguments.js';
import { readSecretFile } from './read-secret-file.js';
import { startRecording } from './recording.js';
import { STOP_WITHIN_MS, stopOnSignals, stopRequest } from './stop.js';
import { UnusableAddress } from './unusable-address.js';

const { version } = packageJson;

await main();

async function main(): Promise<void> {
  const asked = parseArguments(process.argv.slice(2));
  switch (asked.kind) {
    case 'help': {
      const { helpText } = await import('./command-list.js');
      process.stdout.write(helpText());
      return;
    }
    case 'version':
      process.stdout.write(`gopher-mcp ${version}\n`);
      return;
    case 'refused':
      process.stderr.write(asked.text);
      process.exitCode = 2;
      return;
    case 'command': {
      const { findCommand } = await import('./command-list.js');
      const row = findCommand(asked.name);
      if (!row.ok) {
        process.stderr.write(row.error);
        process.exitCode = 2;
        return;
      }
      const { runCommandLine } = await import('./run-command-line.js');
      const parts = { version, loadConfig: () => readSettings({}) };
      process.exitCode = await runCommandLine({ row: row.value, argv: asked.argv }, process, parts);
      return;
    }
    case 'print-config':
      return withSettings(asked.flags, (config) => void process.stdout.write(printConfig(config)));
    case 'check':
      return withSettings(asked.flags, (config, { log }) => {
        tell(config, log);
        return check(config, log);
      });
    case 'serve': {
      const stop = stopRequest(process);
      return withSettings(asked.flags, (config, opened) => serve(config, opened, stop));
    }
  }
}

/** Everything that needs valid settings. */
async function withSettings(
  flags: Flags,
  use: (config: Config, opened: OpenedLog) => Promise<void> | void,
): Promise<void> {
  const loaded = readSettings(flags);
  if (!loaded.ok) return refuse(loaded.error);
  const opened = openLog(loaded.value.server);
  if (!opened.ok) return refuse(opened.error);
  return use(loaded.value, opened.value);
}

/** Flags, environment and the `.env` file of the working directory. */
function readSettings(flags: Flags): Result<Config, readonly ConfigProblem[]> {
  const envFile = readEnvFile();
  if (!envFile.ok) return err([envFile.error]);
  return loadConfig(process.env, {
    flags,
    envFile: envFile.value,
    readSecretFile,
    toolNames: TOOL_TABLE.map(({ name }) => name),
    closedPorts: DANGEROUS_PORTS,
  });
}

/** Looks into the files that settings name, as a start over HTTP would. */
async function check({ gateway, tenants: { tenantsFile } }: Config, log: Log): Promise<void> {
  if (gateway.transport !== 'stdio' && tenantsFile !== null) {
    const { openTenants } = await import('./open-tenants.js');
    const tenants = await openTenants(tenantsFile, log);
    if (!tenants.ok) return refuse(tenants.error);
  }
  process.stdout.write('The configuration is valid.\n');
}

async function serve(config: Config, opened: OpenedLog, stop: Promise<NodeJS.Signals>): Promise<void> {
  const { log } = opened;
  tell(config, log);
  const started = await startRecording(config, { version, log, env: process.env, globals: globalThis });
  if (!started.ok) return refuse([started.error]);
  const { close: closeRecords, ...records } = started.value;
  const tools = servedTools(TOOL_TABLE, config.server);
  const options = {
    version,
    config,
    log,
    machine: { env: process.env, platform: process.platform },
    tools,
    templates: servedTemplates(TEMPLATE_TABLE, tools),
    ...records,
  };
  switch (config.gateway.transport) {
    case 'stdio': {
      const { serveStdio } = await import('./serve-stdio.js');
      const server = serveStdio(options, process.stdin, process.stdout);
      const close = async (): Promise<void> => {
        await server.close();
        await closeRecords();
      };
      const stoppable = { ended: server.ended, close, withinMs: STOP_WITHIN_MS };
      await stopOnSignals(process, stop, stoppable, log);
      return;
    }
    case 'sse':
    case 'streamable-http': {
      const { serveHttp } = await import('./serve-http.js');
      try {
        const server = await serveHttp(options, opened);
        announce(server.url, config);
        const stoppable = {
          ended: new Promise<void>(() => undefined),
          close: async (signal?: NodeJS.Signals) => {
            // Whoever presses Ctrl+C waits for the end.
            await server.close(signal === 'SIGTERM');
            await closeRecords();
          },
          withinMs: config.gateway.drainSeconds * 1000 + STOP_WITHIN_MS,
        };
        await stopOnSignals(process, stop, stoppable, log);
      } catch (error) {
        await closeRecords();
        if (error instanceof UnusableAddress) refuse([unusableAddress(error)]);
        else if (error instanceof ConfigError) refuse(error.problems);
        else throw error;
      }
    }
  }
}

/** What is valid in the settings but deserves a look. */
function tell({ notices }: Config, log: Log): void {
  for (const { level, event, fields } of notices) log[level](event, fields);
}

function refuse(problems: readonly ConfigProblem[]): void {
  for (const problem of problems) process.stderr.write(`${formatProblem(problem)}\n`);
  process.exitCode = 2;
}

/** For the person who started the server: what it serves, and how to connect. */
function announce(origin: string, { server, gateway }: Config): void {
  if (!process.stderr.isTTY && server.structuredLogging && process.env['npm_lifecycle_event'] !== 'start') return;
  const [kind, url] = gateway.transport === 'sse' ? ['sse', `${origin}/sse`] : ['http', `${origin}/mcp`];
  process.stderr.write(
    [
      `gopher-mcp ${version} serves MCP at ${url} (health: ${origin}/health).`,
      `Connect a client, for example: claude mcp add --transport ${kind} gopher-mcp ${url}`,
      'Stop with Ctrl+C.',
      '',
    ].join('\n'),
  );
}

function readEnvFile(): Result<Uint8Array | null, ConfigProblem> {
  try {
    return ok(readFileSync('.env'));
  } catch (thrown) {
    const code = systemCode(asError(thrown));
    if (code === 'ENOENT' || code === 'EISDIR') return ok(null);
    return err({ name: '.env', requirement: `must be readable (${code})`, rejected: null });
  }
}

function unusableAddress({ settings, address, cause }: UnusableAddress): ConfigProblem {
  return {
    name: settings,
    requirement: `must be an address that can be listened on (${systemCode(asError(cause))})`,
    rejected: address,
  };
}

/** The code of a system error, such as EADDRINUSE; its text where it has none. */
function systemCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
