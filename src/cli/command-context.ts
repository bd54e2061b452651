/** Everything that a command may touch, so that it runs in a test without a process. */
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../common/clock.port.js';
import type { JsonObject } from '../common/json.js';
import type { Result } from '../common/result.js';
import type { Config, ConfigProblem, Environment } from '../config/index.js';

/** What the output is shown on. */
export interface Terminal {
  /** Width in columns; null where stdout is no terminal, and lines stay as they are. */
  readonly columns: number | null;
  /** Whether stdout shows colours: it is a terminal, and neither NO_COLOR nor TERM=dumb says otherwise. */
  readonly hasColours: boolean;
  /** Whether a person can be asked: stdin and stderr are a terminal. */
  readonly isInteractive: boolean;
  /** Whether stderr is a terminal: progress is for people. */
  readonly showsProgress: boolean;
}

/** The world of one run. */
export interface CommandContext {
  /** Of this program. */
  readonly version: string;
  /** Of Node.js: `22.12.0`. */
  readonly nodeVersion: string;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Aborts at Ctrl+C and when the process is asked to end. */
  readonly signal: AbortSignal;
  /** The settings as the server would read them: environment, and `.env` of the working directory. */
  loadConfig(): Promise<Result<Config, readonly ConfigProblem[]>>;
  /** The services behind the tools. Whoever opens them closes them. */
  openServices(config: Config): Promise<CommandServices>;
  /**
   * Asks the person at the terminal, on stderr; only where {@link Terminal.isInteractive}.
   *
   * @returns the answer without its line end; null when there is none: Ctrl+C, Ctrl+D
   */
  ask(question: string, options?: AskOptions): Promise<string | null>;
}

/** How a question is put. */
export interface AskOptions {
  /** Whether what is typed stays unseen. */
  readonly isHidden?: boolean;
}

/** What a tool answered: its payload, or a question that has to be answered first. */
export type ToolAnswer =
  { readonly kind: 'payload'; readonly payload: JsonObject } | { readonly kind: 'question'; readonly message: string };

/** The services of a server, for one command. */
export interface CommandServices {
  /**
   * Calls a tool as the user of this machine.
   *
   * @param consent `unasked` lets a tool that changes something put its question; `given` carries the change out
   */
  callTool(name: string, args: JsonObject, consent: 'unasked' | 'given'): Promise<ToolAnswer>;
  /** The service behind an injection token. */
  get<T>(token: symbol | (abstract new (...args: never[]) => T)): T;
  /** Ends what runs and writes what is pending on disk. */
  close(): Promise<void>;
}
