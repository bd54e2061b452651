/** Answers tools/call: runs the tool, asks the person where the tool wants that, and leaves the result for the transport. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallEnd, CallObserver } from '../common/call-observer.port.js';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { targetsOf } from './call-targets.js';
import type { Caller, ServerLink } from './caller.js';
import { ANSWER_WITHIN_MS, ask, asInputRequired, canShowForms, declaredConsent } from './confirmation.js';
import { gatedCall, gatedRun, notLetIn, unitsOf } from './gated-run.js';
import { internalFault } from './internal-fault.js';
import type { McpServices } from './mcp-services.js';
import { RequestContext } from './request-context.js';
import { visibleTools } from './served-tools.js';
import { encodeRefusal } from './tool-result.js';
import type { ToolRun } from './tool-runner.js';
import type { Tool, ToolCall } from './tool.js';
import { beginCall, watch, type CallSubject } from './watched-calls.js';

/** What the calls of a server need. */
export interface ToolCallParts {
  readonly tools: readonly Tool[];
  readonly services: () => Promise<Pick<McpServices, 'runner' | 'gate'>>;
  /** Is told of every call; undefined = nobody is. */
  readonly observer?: CallObserver | undefined;
  /** How long a person has for an answer, milliseconds; {@link ANSWER_WITHIN_MS} by default. */
  readonly answerWithinMs?: number | undefined;
}

/** The answer to a call, and what came of it. */
interface Answered {
  readonly answer: CallToolResult | InputRequiredResult;
  readonly run: ToolRun;
}

/** See the file's header. */
export class ToolCalls {
  constructor(
    private readonly parts: ToolCallParts,
    private readonly link: ServerLink,
    private readonly server: Server,
  ) {}

  /** @throws ProtocolError (-32602) when the caller may see no tool of this name */
  async answer(
    name: string,
    args: unknown,
    mcpReq: ServerContext['mcpReq'],
  ): Promise<CallToolResult | InputRequiredResult> {
    const context = new RequestContext(this.link, mcpReq);
    const tool = visibleTools(this.parts.tools, context.caller).find((one) => one.name === name);
    const { observer } = this.parts;
    const given = isJsonObject(args) ? args : {};
    if (!observer) return (await this.#answer(tool, name, given, context, mcpReq)).answer;
    const watched = beginCall(observer, subjectOf(tool, name, given), { context, mcpReq, server: this.server });
    const run = (): Promise<Answered> => this.#answer(tool, name, given, context, mcpReq);
    return (await watch(watched, mcpReq.signal, run, endOf)).answer;
  }

  async #answer(
    tool: Tool | undefined,
    name: string,
    args: JsonObject,
    context: RequestContext,
    mcpReq: ServerContext['mcpReq'],
  ): Promise<Answered> {
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shownName(name)}`);

    const call: ToolCall = {
      principal: context.caller.principal,
      signal: mcpReq.signal,
      progress: (finished, total) => context.progress(finished, total),
      consent: this.#consent(context, mcpReq),
      fetchContext: context.fetchContext,
    };
    let run = await this.#run(tool, args, call, context.caller, unitsOf(tool, args));
    if (run.kind === 'question') {
      if (this.link.stateless) return { answer: asInputRequired(run.message), run };
      const consent = await ask(mcpReq, run.message, this.parts.answerWithinMs ?? ANSWER_WITHIN_MS);
      // Let in anew, since it gave its place up while the person was asked; but counted already.
      run = await this.#run(tool, args, { ...call, consent }, context.caller, 0);
    }
    if (run.kind === 'question') throw new TypeError(`the tool ${name} asks again after an answer`);

    await context.beforeAnswer();
    // Nobody would take the result of a cancelled call from there.
    if (!mcpReq.signal.aborted) this.link.answers.put(mcpReq.id, ...run.result.members);
    return { answer: { content: [], isError: run.result.isError }, run };
  }

  #consent({ caller: { memory } }: RequestContext, mcpReq: ServerContext['mcpReq']): ToolCall['consent'] {
    if (this.link.stateless) return declaredConsent(mcpReq);
    if (!memory) return 'unable';
    return canShowForms(memory.capabilities ?? this.server.getClientCapabilities()) ? 'unasked' : 'unable';
  }

  /** Services that cannot be made are a fault of ours; whoever makes them logs it and tries again at the next call. */
  async #run(tool: Tool, args: JsonObject, call: ToolCall, caller: Caller, units: number): Promise<ToolRun> {
    let services: Pick<McpServices, 'runner' | 'gate'>;
    try {
      services = await this.parts.services();
    } catch {
      return { kind: 'result', result: encodeRefusal(internalFault(), tool.batch) };
    }
    const { runner, gate } = services;
    if (!gate) return runner.run(tool, args, call);
    return gatedRun<ToolRun>(
      gate,
      gatedCall(caller, units, call.signal),
      () => runner.run(tool, args, call),
      (refusal) => {
        if (this.link.hasStatuses) throw notLetIn(refusal);
        return { kind: 'result', result: encodeRefusal(refusal, tool.batch) };
      },
    );
  }
}

/** A name as the caller gave it is cut short where it is told back. */
function shownName(name: string): string {
  return name.slice(0, 64);
}

function subjectOf(tool: Tool | undefined, name: string, args: JsonObject): CallSubject {
  return { method: 'tools/call', tool: shownName(name), isKnownTool: tool !== undefined, ...targetsOf(args) };
}

function endOf({ run }: Answered): CallEnd {
  if (run.kind === 'question') return { outcome: 'question', code: undefined, bytes: 0, failedItems: 0 };
  const { isError, code, failedItems, members } = run.result;
  const bytes = members.reduce((sum, piece) => sum + piece.length, 0);
  return { outcome: isError ? 'error' : 'ok', code, bytes, failedItems };
}
