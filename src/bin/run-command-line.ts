/** Runs a person's command in this process: gives it the terminal, the settings and the services. */
import type { AppOptions } from '../app.module.js';
import { ask } from '../cli/ask.js';
import type { CommandContext, CommandServices } from '../cli/command-context.js';
import type { CommandRow, ExitCode } from '../cli/command.js';
import { runCommand } from '../cli/run-command.js';
import { terminalOf } from '../cli/terminal.js';
import { SystemClock } from '../clock/system-clock.js';
import { isJsonObject, type JsonObject } from '../common/json.js';
import type { Result } from '../common/result.js';
import type { Config, ConfigProblem } from '../config/index.js';
import { openLog } from '../logging/index.js';
import { servedTemplates, TEMPLATE_TABLE } from '../mcp/template-table.js';
import { TOOL_TABLE } from '../mcp/tool-table.js';

/** What of the process a command needs. */
export type CommandProcess = Pick<
  NodeJS.Process,
  'env' | 'platform' | 'versions' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'exit'
>;

/** What the program knows already. */
export interface ProgramParts {
  readonly version: string;
  readonly loadConfig: () => Result<Config, readonly ConfigProblem[]>;
}

/** See the file's header. */
export async function runCommandLine(
  { row, argv }: { readonly row: CommandRow; readonly argv: readonly string[] },
  process: CommandProcess,
  { version, loadConfig }: ProgramParts,
): Promise<ExitCode> {
  const { env, platform, versions, stdin, stdout, stderr } = process;
  // `gopher-mcp fetch ... | head` closes the pipe: there is nobody left to tell anything.
  stdout.on('error', () => process.exit(0));
  const signal = interruption(process);
  const context: CommandContext = {
    version,
    nodeVersion: versions.node,
    env,
    platform,
    stdin,
    stdout,
    stderr,
    terminal: terminalOf(env, { stdin, stdout, stderr }),
    clock: new SystemClock(),
    signal,
    loadConfig: () => Promise.resolve(loadConfig()),
    openServices: (config) => openServices({ version, config, machine: { env, platform } }, signal),
    ask: (question, options = {}) => ask({ input: stdin, output: stderr }, question, options.isHidden ?? false),
  };
  return runCommand(await row.load(), argv, context);
}

/** Aborts at the first signal that asks for the end; the second one ends the process. */
function interruption(process: CommandProcess): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(new Error('interrupted'));
    });
  }
  return controller.signal;
}

/** The graph that the server would have, with every tool: a person may do on this machine what a model may not. */
async function openServices(
  given: Pick<AppOptions, 'version' | 'config' | 'machine'>,
  signal: AbortSignal,
): Promise<CommandServices> {
  // The server's log is for its operator; a person is told of trouble, and in plain lines.
  const opened = openLog({ logLevel: 'WARNING', structuredLogging: false, logFilePath: null });
  if (!opened.ok) throw new TypeError('a log without a file opens always');
  const [{ buildServiceGraph }, { LOCAL_PRINCIPAL }] = await Promise.all([
    import('../service-graph.js'),
    import('../common/principal.js'),
  ]);
  const templates = servedTemplates(TEMPLATE_TABLE, TOOL_TABLE);
  const graph = await buildServiceGraph({ ...given, log: opened.value.log, tools: TOOL_TABLE, templates });
  return {
    get: (token) => graph.get(token),
    close: () => graph.close(),
    async callTool(name, args, consent) {
      const tool = TOOL_TABLE.find((one) => one.name === name);
      if (tool === undefined) throw new TypeError(`there is no tool ${name}`);
      const run = await graph.runner.run(tool, args, {
        principal: LOCAL_PRINCIPAL,
        signal,
        progress: () => undefined,
        consent,
        fetchContext: { principal: LOCAL_PRINCIPAL },
      });
      if (run.kind === 'question') return run;
      return { kind: 'payload', payload: structuredContent(run.result.members) };
    },
  };
}

/** The payload in a tool's result, which is written as bytes for the transports. */
function structuredContent(members: readonly Buffer[]): JsonObject {
  const result: unknown = JSON.parse(`{${Buffer.concat(members).toString()}}`);
  if (!isJsonObject(result) || !isJsonObject(result['structuredContent']))
    throw new TypeError('a result has a payload');
  return result['structuredContent'];
}
