/**
 * Who an HTTP request comes from: its principal, its session, its trace, and the tools that it wants to see.
 *
 * A gateway or a client may narrow what it is served, for each request anew:
 *
 *     GopherMcp-Tools: gopher_fetch, gemini_fetch     only these tools
 *     GopherMcp-Read-Only: true                       only tools that change nothing
 *
 * Both leave tools out of those that GOPHER_MCP_TOOLS and GOPHER_MCP_READ_ONLY allow, and never bring one in. A tool that is
 * left out is unknown, and so are the resource templates that read the same pages. What cannot be understood narrows: a name
 * that is no tool allows nothing, and only a clear no leaves the second header without effect.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../../common/principal.js';
import { parseTraceContext } from '../../../common/trace-context.js';
import type { Caller, CallerMemory } from '../../caller.js';
import type { ToolSelection } from '../../served-tools.js';

/** Where a request comes from. */
export interface RequestOrigin {
  readonly principal: Principal;
  /** IP address of the client: of the peer, or as trusted proxies tell it; see client-address.ts. */
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the HTTP request; see request-id.ts. */
  readonly requestId?: string;
}

/** The headers, as Node spells them. */
const TOOLS_HEADER = 'gophermcp-tools';
const READ_ONLY_HEADER = 'gophermcp-read-only';

const NO_WORDS: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

/** See the file's header. */
export function callerOf(
  { principal, address, headers, requestId }: RequestOrigin,
  memory: CallerMemory | undefined,
): Caller {
  return {
    principal,
    address,
    memory,
    narrowing: narrowingOf(headers),
    trace: parseTraceContext(headers['traceparent'], headers['tracestate']),
    requestId,
    revision: text(headers['mcp-protocol-version']),
  };
}

function narrowingOf(headers: IncomingHttpHeaders): ToolSelection | undefined {
  const tools = text(headers[TOOLS_HEADER]);
  const readOnly = text(headers[READ_ONLY_HEADER]);
  if (tools === undefined && readOnly === undefined) return undefined;
  return {
    tools: tools === undefined ? null : tools.split(',').map((name) => name.trim()),
    readOnly: readOnly !== undefined && !NO_WORDS.has(readOnly.trim().toLowerCase()),
  };
}

/** Node joins a header that is sent twice with a comma. */
function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
