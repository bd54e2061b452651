/** What a fixture of the conformance suite sees of its request, and what it answers with. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../src/common/json.js';
import type { ServerLink } from '../../../src/mcp/caller.js';
import { declared } from '../../../src/mcp/envelope.js';

type McpRequest = ServerContext['mcpReq'];

/** One request to a fixture. */
export interface FixtureCall {
  readonly args: JsonObject;
  readonly context: ServerContext;
  readonly request: McpRequest;
  /** Sends a message of level info, if the client asked for messages. */
  log(text: string): Promise<void>;
  /** Sends how far it is of 100, if the client asked for it. */
  progress(percent: number): Promise<void>;
  /** Whether the client declared this capability with its request (2026-07-28). */
  declares(capability: keyof ClientCapabilities): boolean;
}

/** A tool of the suite: its name and behaviour are fixed by the scenarios. */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  /** Without one it takes no arguments. */
  readonly inputSchema?: JsonObject;
  readonly run: (
    call: FixtureCall,
  ) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}

/** A result of one text. */
export function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** The request as a fixture sees it. */
export function fixtureCall(context: ServerContext, args: JsonObject, link: ServerLink): FixtureCall {
  const { mcpReq: request } = context;
  const wantsMessages = link.stateless
    ? declared(request, LOG_LEVEL_META_KEY) !== undefined
    : link.callerOf(request.id).memory?.logLevel !== undefined;
  return {
    args,
    context,
    request,
    log: async (data) => {
      if (wantsMessages) await request.notify({ method: 'notifications/message', params: { level: 'info', data } });
    },
    progress: async (progress) => {
      const progressToken = request._meta?.progressToken;
      if (progressToken === undefined) return;
      await request.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    },
    declares: (capability) => {
      const capabilities = declared(request, CLIENT_CAPABILITIES_META_KEY);
      return typeof capabilities === 'object' && capabilities !== null && capability in capabilities;
    },
  };
}
