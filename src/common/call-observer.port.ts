/**
 * What those who record calls are told: each tool call and each resource read once, when it has ended, and each request that was
 * turned away before it became one. Records hold no query, no search terms, no userinfo, no token and nothing of a page.
 */
import type { Principal } from './principal.js';
import type { TraceContext } from './trace-context.js';

/** Most targets of one call that are recorded; {@link CallStart.targetCount} tells how many there were. */
export const MAX_RECORDED_TARGETS = 10;

/** Where a request comes from, as far as is known. */
export interface CallOrigin {
  /** Address of the client, behind the proxies that are trusted; undefined over stdio. */
  readonly address: string | undefined;
  /** Id of the transport's request, which its log lines carry as well; undefined over stdio. */
  readonly requestId: string | undefined;
}

/** What the client says of itself. Untrusted: neither checked nor bounded. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** A call that begins. */
export interface CallStart {
  readonly method: 'tools/call' | 'resources/read';
  readonly principal: Principal;
  readonly origin: CallOrigin;
  readonly client: ClientInfo | undefined;
  /** Id of the session; undefined without one. Whoever knows it can speak in it: it is never written down as it is. */
  readonly session: string | undefined;
  /** Revision of MCP; undefined when it is not known. */
  readonly revision: string | undefined;
  /** Id of the JSON-RPC request, as the client chose it. */
  readonly rpcId: string | number;
  /** Where the client's own trace stands. */
  readonly trace: TraceContext | undefined;
  /** Null for a resource. */
  readonly tool: string | null;
  /** Whether this caller may see a tool of that name; if not, the name is the caller's own text, cut short. */
  readonly isKnownTool: boolean;
  /** URLs or host names, at most {@link MAX_RECORDED_TARGETS}. Without queries and userinfo, but as the caller spelt them. */
  readonly targets: readonly string[];
  readonly targetCount: number;
}

/** How a call ended. */
export interface CallEnd {
  /** `question`: the person behind the client is asked first, and the client calls again. `cancelled`: nobody waits any more. */
  readonly outcome: 'ok' | 'error' | 'question' | 'cancelled';
  /** Our error code, or that of JSON-RPC; undefined where there is no error, or several in a batch. */
  readonly code: string | undefined;
  /** Code of the JSON-RPC error, where the call ended in one. */
  readonly rpcCode?: number | undefined;
  /** Bytes of the answer. */
  readonly bytes: number;
  /** Items of a batch that ended in an error. */
  readonly failedItems: number;
}

/** A request that was turned away before it became a call. */
export interface TurnedAway {
  readonly why: 'authentication' | 'authorisation' | 'quota' | 'overload';
  /** What was wrong, in a fixed word or two of ours: `token expired`. */
  readonly reason: string;
  /** HTTP status of the answer. */
  readonly status: number;
  readonly origin: CallOrigin;
  /** Who it was, where that is known. */
  readonly principal?: Principal | undefined;
  /** What was asked for, where that is known: of several requests in one, the first. As the caller spelt it. */
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
}

/** A call under way, as one who watches it sees it. */
export interface WatchedCall {
  /** The trace that everything done for this call belongs to, in place of the client's own. */
  readonly trace?: TraceContext | undefined;
  /** Is told once. */
  end(end: CallEnd): void;
}

/** Watches calls. Nothing here may throw, wait, or keep the call waiting. */
export interface CallObserver {
  begin(call: CallStart): WatchedCall;
  turnedAway?(event: TurnedAway): void;
}

/** How well calls can be written down, for metrics and health. */
export interface RecordKeeping {
  /** Lines that were written since the start. */
  readonly written: number;
  /** Lines that were lost since the start. */
  readonly lost: number;
  /** Whether they cannot be written at present. */
  readonly isFailing: boolean;
}

/** Several observers as one, told in turn; undefined when there is none. A trace that one gives goes on to the next. */
export function asOneObserver(observers: readonly CallObserver[]): CallObserver | undefined {
  const [first, ...others] = observers;
  if (first === undefined || others.length === 0) return first;
  return {
    begin(call) {
      let { trace } = call;
      const watched = observers.map((observer) => {
        const one = observer.begin({ ...call, trace });
        trace = one.trace ?? trace;
        return one;
      });
      return {
        trace,
        end: (end) => {
          for (const one of watched) one.end(end);
        },
      };
    },
    turnedAway: (event) => {
      for (const observer of observers) observer.turnedAway?.(event);
    },
  };
}
