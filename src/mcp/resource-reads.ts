/** Answers resources/read: the policy, and the pages of the templates. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallEnd, CallObserver } from '../common/call-observer.port.js';
import { ERROR_CODES } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import { shownTarget } from './call-targets.js';
import type { ServerLink } from './caller.js';
import { gatedCall, gatedRun, notLetIn } from './gated-run.js';
import { internalFault } from './internal-fault.js';
import type { McpServices } from './mcp-services.js';
import { RequestContext } from './request-context.js';
import type { PageReader, ReadFailure } from './resources/page-reader.js';
import { templateFor, type PageTemplate } from './resources/page-template.js';
import { POLICY_RESOURCE } from './resources/policy.resource.js';
import { visibleTools } from './served-tools.js';
import { servedTemplates } from './template-table.js';
import type { Tool } from './tool.js';
import { beginCall, watch } from './watched-calls.js';

/** What reading needs. */
export interface ResourceReadParts {
  readonly tools: readonly Tool[];
  readonly templates: readonly PageTemplate[];
  readonly services: () => Promise<Pick<McpServices, 'policy' | 'pages' | 'gate'>>;
  /** Is told of every read; undefined = nobody is. */
  readonly observer?: CallObserver | undefined;
}

/** See the file's header. */
export class ResourceReads {
  constructor(
    private readonly parts: ResourceReadParts,
    private readonly link: ServerLink,
    private readonly server: Server,
  ) {}

  /** The templates that this caller may see. */
  templates(requestId: ServerContext['mcpReq']['id']): readonly PageTemplate[] {
    const { tools, templates } = this.parts;
    const visible = visibleTools(tools, this.link.callerOf(requestId));
    return visible === tools ? templates : servedTemplates(templates, visible);
  }

  /**
   * @throws ProtocolError: not found, or what failed. Its message is ours; `data` has our code, what to do next, and a
   * server's own words where there are some, marked as such.
   */
  async answer(uri: string, mcpReq: ServerContext['mcpReq']): Promise<ReadResourceResult> {
    const context = new RequestContext(this.link, mcpReq);
    const { observer } = this.parts;
    if (!observer) return this.#answer(uri, context, mcpReq);
    const subject = { method: 'resources/read', tool: null, isKnownTool: false } as const;
    const targets = { targets: [shownTarget(uri)], targetCount: 1 };
    const watched = beginCall(observer, { ...subject, ...targets }, { context, mcpReq, server: this.server });
    return watch(watched, mcpReq.signal, () => this.#answer(uri, context, mcpReq), endOf);
  }

  async #answer(uri: string, context: RequestContext, mcpReq: ServerContext['mcpReq']): Promise<ReadResourceResult> {
    if (uri === POLICY_RESOURCE.uri)
      return { contents: (await this.#services()).policy.contents(context.caller.principal) };
    const template = templateFor(this.templates(mcpReq.id), uri);
    if (!template) throw new ResourceNotFoundError(shownTarget(uri), 'There is no such resource.');
    const { pages, gate } = await this.#services();
    const { signal } = mcpReq;
    const read = (): ReturnType<PageReader['read']> => pages.read(template, uri, signal, context.fetchContext);
    const page = gate
      ? await gatedRun(gate, gatedCall(context.caller, 1, signal), read, (refusal) => {
          throw notLetIn(refusal);
        })
      : await read();
    await context.beforeAnswer();
    if (!page.ok) throw readError(uri, page.error);
    return { contents: [page.value] };
  }

  async #services(): Promise<Pick<McpServices, 'policy' | 'pages' | 'gate'>> {
    try {
      return await this.parts.services();
    } catch {
      const { code, message, facts } = internalFault();
      throw new ProtocolError(ProtocolErrorCode.InternalError, message, { code, message, ...facts });
    }
  }
}

function readError(uri: string, { message, detail }: ReadFailure): ProtocolError {
  return new ProtocolError(rpcCodeOf(detail), message, { uri: shownTarget(uri), ...detail });
}

/** Gemini statuses that say there is no such page. */
const NO_SUCH_PAGE: ReadonlySet<unknown> = new Set([51, 52]);

/** A URI that cannot be asked for and a page that is not there are the caller's to correct; the rest is not. */
function rpcCodeOf({ code, status }: JsonObject): ProtocolErrorCode {
  const origin = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1].origin;
  const isCallers = origin === 'caller' || code === 'GOPHER_ERROR' || NO_SUCH_PAGE.has(status);
  return isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
}

function endOf({ contents }: ReadResourceResult): CallEnd {
  const bytes = contents.reduce((sum, one) => sum + ('text' in one ? Buffer.byteLength(one.text) : one.blob.length), 0);
  return { outcome: 'ok', code: undefined, bytes, failedItems: 0 };
}
