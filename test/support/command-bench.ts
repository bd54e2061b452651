/** A world for commands: streams that are kept, tools that answer from a table, a clock that stands. */
import { PassThrough, Writable } from 'node:stream';
import type { CommandContext, CommandServices, ToolAnswer } from '../../src/cli/command-context.js';
import type { Command, ExitCode } from '../../src/cli/command.js';
import { runCommand } from '../../src/cli/run-command.js';
import type { JsonObject } from '../../src/common/json.js';
import { loadConfig } from '../../src/config/index.js';
import { FakeClock } from './fake-clock.js';

/** A call of a tool. */
export interface CalledTool {
  readonly name: string;
  readonly args: JsonObject;
  readonly consent: string;
}

/** How the world is. */
export interface BenchOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: Partial<CommandContext['terminal']>;
  /** What the person types, one entry a question; null presses Ctrl+C. */
  readonly answers?: readonly (string | null)[];
  /** What a tool answers. */
  readonly tool?: (call: CalledTool) => ToolAnswer | Promise<ToolAnswer>;
  /** Services by their token. */
  readonly services?: ReadonlyMap<unknown, unknown>;
}

/** See the file's header. */
export class CommandBench {
  readonly clock = new FakeClock();
  readonly calls: CalledTool[] = [];
  readonly questions: { readonly question: string; readonly isHidden: boolean }[] = [];
  readonly context: CommandContext;
  stdout = '';
  stderr = '';
  /** Services that were opened and not closed. */
  open = 0;

  constructor(options: BenchOptions = {}) {
    const answers = [...(options.answers ?? [])];
    this.context = {
      version: '1.2.3',
      nodeVersion: '22.12.0',
      env: options.env ?? {},
      platform: 'linux',
      stdin: new PassThrough(),
      stdout: kept((text) => (this.stdout += text)),
      stderr: kept((text) => (this.stderr += text)),
      terminal: { columns: null, hasColours: false, isInteractive: false, showsProgress: false, ...options.terminal },
      clock: this.clock,
      signal: new AbortController().signal,
      loadConfig: () => Promise.resolve(loadConfig(options.env ?? {})),
      openServices: () => Promise.resolve(this.#services(options)),
      ask: (question, { isHidden = false } = {}) => {
        this.questions.push({ question, isHidden });
        return Promise.resolve(answers.shift() ?? null);
      },
    };
  }

  /** Runs a command with the words behind its name. */
  run(command: Command, ...argv: readonly string[]): Promise<ExitCode> {
    return runCommand(command, argv, this.context);
  }

  #services({ tool, services }: BenchOptions): CommandServices {
    this.open += 1;
    return {
      callTool: async (name, args, consent) => {
        const call = { name, args, consent };
        this.calls.push(call);
        if (tool === undefined) throw new Error(`${name} is not expected`);
        return tool(call);
      },
      get: <T>(token: unknown) => services?.get(token) as T,
      close: () => {
        this.open -= 1;
        return Promise.resolve();
      },
    };
  }
}

/** A payload as a tool's answer. */
export function answer(payload: JsonObject): ToolAnswer {
  return { kind: 'payload', payload };
}

function kept(keep: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      keep(String(chunk));
      done();
    },
  });
}
