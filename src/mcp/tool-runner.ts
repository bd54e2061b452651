import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Clock } from '../common/clock.port.js';
import { inTurns } from '../common/in-turns.js';
import type { JsonObject } from '../common/json.js';
import { asError } from '../common/thrown.js';
import { Log } from '../logging/index.js';
import { internalFault } from './internal-fault.js';
import { missingArguments } from './tool-arguments.js';
import { encodeBatch, encodeRefusal, encodeSingle, indentLong, type EncodedResult } from './tool-result.js';
import type { BoundTool, LoadedTool, Services, Tool, ToolBehaviour, ToolCall, ToolOutcome } from './tool.js';

/** Injection token of the tools whose behaviour was loaded. */
export const LoadedTools = Symbol('LoadedTools');

/** What running a tool gives: a result, or a question for the person behind the client. */
export type ToolRun =
  { readonly kind: 'result'; readonly result: EncodedResult } | { readonly kind: 'question'; readonly message: string };

/** Maps tool calls onto the services behind them. */
@Injectable()
export class ToolRunner {
  readonly #services: Services;
  readonly #behaviours: ReadonlyMap<string, ToolBehaviour>;
  readonly #bound = new Map<string, BoundTool>();

  constructor(
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(LoadedTools) tools: readonly LoadedTool[],
    @Inject(Log) private readonly log: Log,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.#services = { get: (token) => moduleRef.get(token, { strict: false }) };
    this.#behaviours = new Map(tools.map(({ tool, behaviour }) => [tool.name, behaviour]));
  }

  /**
   * Runs a tool. Never rejects: a fault of ours is logged and becomes FETCH_ERROR with reason `internal`, which tells a caller
   * no details.
   */
  async run(tool: Tool, raw: JsonObject, call: ToolCall): Promise<ToolRun> {
    try {
      const outcome = missingArguments(tool.inputSchema, raw) ?? (await this.#bind(tool)(raw, call));
      if ('code' in outcome) return { kind: 'result', result: encodeRefusal(outcome, tool.batch) };
      return outcome.kind === 'question' ? outcome : { kind: 'result', result: await this.#encoded(outcome) };
    } catch (thrown) {
      const { requestId, trace } = call.fetchContext;
      this.log.error('tool failed', {
        tool: tool.name,
        request_id: requestId,
        trace_id: trace?.traceId,
        error: asError(thrown),
      });
      return { kind: 'result', result: encodeRefusal(internalFault(), tool.batch) };
    }
  }

  /** Tools are bound at their first call: when this class is made, not every service exists. */
  #bind({ name }: Tool): BoundTool {
    const known = this.#bound.get(name);
    if (known) return known;
    const behaviour = this.#behaviours.get(name);
    if (!behaviour) throw new TypeError(`the tool ${name} was not loaded`);
    const bound = behaviour.bind(this.#services);
    this.#bound.set(name, bound);
    return bound;
  }

  /** Long results are written a turn of the event loop at a time; the others at once. */
  async #encoded(outcome: Exclude<ToolOutcome, { kind: 'question' }>): Promise<EncodedResult> {
    const work = indentLong(outcome.kind === 'single' ? [outcome.payload] : outcome.payloads);
    const indented = work === null ? undefined : await inTurns(work, this.clock);
    return outcome.kind === 'single'
      ? encodeSingle(outcome.payload, indented)
      : encodeBatch(outcome.payloads, false, indented);
  }
}
