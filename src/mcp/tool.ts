/**
 * What a tool is: static data that is listed before anything else exists, and a behaviour that is loaded after that and bound to
 * its services. All tools stand in one ordered table (tool-table.ts); there is no discovery.
 */
import type { Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import type { ResultPayload } from '../common/payload.js';
import type { Principal, Scope } from '../common/principal.js';
import type { FetchContext } from '../fetch/index.js';

/** A class whose decorated fields are the arguments of a tool. */
export type ArgumentsClass<A extends object> = new () => A;

/** What a tool may do, as clients show it to people. Hints that do not apply are left out. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** Finds the services a handler needs, by their injection tokens. */
export interface Services {
  get<T>(token: ServiceToken<T>): T;
}

/** An injection token that knows the type behind it: a class, or a symbol of a port. */
export type ServiceToken<T> = symbol | (abstract new (...args: never[]) => T);

/** One call, as a handler sees it. */
export interface ToolCall {
  /** Who is calling. */
  readonly principal: Principal;
  /** Aborts when the caller cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Tells the caller how far a batch is; does nothing when the caller asked for no progress. */
  readonly progress: (finished: number, total: number) => void;
  /** What the person asked said; `unasked` before the question, `unable` when the client cannot ask one. */
  readonly consent: 'unasked' | 'unable' | 'given' | 'refused';
  /** Handed to every fetch of this call. */
  readonly fetchContext: FetchContext;
}

/** What a handler gives: one payload, one payload per item, or a question that has to be answered first. */
export type ToolOutcome =
  | { readonly kind: 'single'; readonly payload: ResultPayload }
  | { readonly kind: 'batch'; readonly payloads: readonly ResultPayload[] }
  | { readonly kind: 'question'; readonly message: string };

/** A bound handler. */
export type ToolHandler<A extends object> = (args: A, call: ToolCall) => Promise<ToolOutcome>;

/** What clients are told of a tool: static data. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: InputSchema;
  readonly outputSchema: JsonObject;
}

/** JSON Schema of a tool's arguments. */
export type InputSchema = JsonObject & { readonly required?: readonly string[] };

/** A tool as it stands in the table. */
export interface Tool extends ToolListing {
  /** What a caller must be allowed to use it. Clients are not told: what they may not use is not listed. */
  readonly scope: Scope;
  /** Whether results come as `{ result: [...] }`, errors included. */
  readonly batch: boolean;
  /** Loads what the tool does; called once the static part is served. */
  readonly load: () => Promise<ToolBehaviour>;
}

/** What a tool does. */
export interface ToolBehaviour {
  /** The Nest module of the domain behind the tool. */
  readonly domain: new () => object;
  /** Makes the handler from its services. */
  readonly bind: (services: Services) => BoundTool;
}

/** A tool with its services: checks whatever a client sent and runs, or says what is wrong with the arguments. */
export type BoundTool = (raw: JsonObject, call: ToolCall) => Promise<ToolOutcome | Failure>;

/** A tool whose behaviour is loaded. */
export interface LoadedTool {
  readonly tool: Tool;
  readonly behaviour: ToolBehaviour;
}
