/** Who a request comes from, as far as answering it depends on that, and how a transport tells a server. */
import type { LoggingLevel, RequestId } from '@modelcontextprotocol/server';
import type { ClientInfo } from '../common/call-observer.port.js';
import { LOCAL_PRINCIPAL, NOBODY, type Principal } from '../common/principal.js';
import type { TraceContext } from '../common/trace-context.js';
import type { EncodedAnswers } from './encoded-answers.js';
import type { ToolSelection } from './served-tools.js';
import { Visits } from './visits.js';

/** What a client said of itself at the handshake, and the session that it was given. */
export interface Handshake {
  readonly client: ClientInfo;
  readonly session: string;
}

/** What is remembered between the requests of one caller: for as long as its connection, or its session, lasts. */
export class CallerMemory {
  readonly visits = new Visits();
  /** Is told when the client asked for something else than before; resolves once that holds everywhere. Never rejects. */
  onChange: (() => Promise<void>) | undefined;
  #logLevel: LoggingLevel | undefined;

  /**
   * @param capabilities what its client declared at the handshake. Left out where a server serves this caller alone and
   * knows for itself; a server of many only knows what the last of them declared. The same is true of the handshake.
   */
  constructor(
    readonly capabilities?: object,
    readonly handshake?: Handshake,
  ) {}

  /** Threshold of the log messages that it asked for; undefined = it wants none. */
  get logLevel(): LoggingLevel | undefined {
    return this.#logLevel;
  }

  /** Takes a threshold, as the client asks for it or as it is known from elsewhere. */
  async setLogLevel(level: LoggingLevel | undefined): Promise<void> {
    this.#logLevel = level;
    await this.onChange?.();
  }
}

/** The origin of one request. */
export interface Caller {
  readonly principal: Principal;
  /** IP address of the client; undefined over stdio. */
  readonly address: string | undefined;
  /** Undefined when every request of this caller stands alone. */
  readonly memory: CallerMemory | undefined;
  /** What this caller wants to see of the served tools; undefined = all. */
  readonly narrowing: ToolSelection | undefined;
  /** The trace of the transport's request; one in the message itself goes before it. */
  readonly trace: TraceContext | undefined;
  /** Id of the transport's request, which its log lines carry; undefined over stdio. */
  readonly requestId: string | undefined;
  /** Revision of MCP that the transport's request names; undefined when it names none. */
  readonly revision: string | undefined;
}

/** A caller of whom nothing is known. */
export const UNKNOWN_CALLER: Caller = {
  principal: NOBODY,
  address: undefined,
  memory: undefined,
  narrowing: undefined,
  trace: undefined,
  requestId: undefined,
  revision: undefined,
};

/** What a server and its transport share beside the messages. */
export interface ServerLink {
  /** Whether it carries 2026-07-28, where a request declares everything itself and no question can be asked meanwhile. */
  readonly stateless: boolean;
  /** Whether an error can show in a status of its transport: there a call that is not let in is an error, elsewhere a result. */
  readonly hasStatuses: boolean;
  /** Results of tools, on their way to their answers. */
  readonly answers: EncodedAnswers;
  /** Who made the running request of this id. */
  callerOf(id: RequestId): Caller;
  /** What its client calls the running request of this id. */
  clientIdOf(id: RequestId): RequestId;
}

/** The link of a server that serves one caller: the user of this machine. */
export function linkOf(memory: CallerMemory, answers: EncodedAnswers, stateless: boolean): ServerLink {
  const caller: Caller = { ...UNKNOWN_CALLER, principal: LOCAL_PRINCIPAL, memory };
  return { stateless, hasStatuses: false, answers, callerOf: () => caller, clientIdOf: (id) => id };
}
