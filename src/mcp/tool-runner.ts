import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import { asError } from '../common/thrown.js';
import { Log } from '../logging/index.js';
import { internalFault } from './internal-fault.js';
import { encodeBatch, encodeRefusal, encodeSingle, type EncodedResult } from './tool-result.js';
import type { BoundTool, Services, Tool, ToolCall, ToolOutcome } from './tool.js';

/** What running a tool gives: a result, or a question for the person behind the client. */
export type ToolRun =
  { readonly kind: 'result'; readonly result: EncodedResult } | { readonly kind: 'question'; readonly message: string };

/** Maps tool calls onto the services behind them. */
@Injectable()
export class ToolRunner {
  readonly #services: Services;
  readonly #bound = new Map<string, BoundTool>();

  constructor(
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(Log) private readonly log: Log,
  ) {
    this.#services = { get: (token) => moduleRef.get(token, { strict: false }) };
  }

  /**
   * Runs a tool. Never rejects: a fault of ours is logged and becomes FETCH_ERROR with reason `internal`, which tells a caller
   * no details.
   */
  async run(tool: Tool, raw: JsonObject, call: ToolCall): Promise<ToolRun> {
    try {
      return encoded(await this.#bind(tool)(raw, call), tool);
    } catch (thrown) {
      this.log.error('tool failed', { tool: tool.name, error: asError(thrown) });
      return { kind: 'result', result: encodeRefusal(internalFault(), tool.batch) };
    }
  }

  /** Tools are bound at their first call: when this class is made, not every service exists. */
  #bind(tool: Tool): BoundTool {
    const bound = this.#bound.get(tool.name) ?? tool.bind(this.#services);
    this.#bound.set(tool.name, bound);
    return bound;
  }
}

function encoded(outcome: ToolOutcome | Failure, { batch }: Tool): ToolRun {
  if ('code' in outcome) return { kind: 'result', result: encodeRefusal(outcome, batch) };
  switch (outcome.kind) {
    case 'single':
      return { kind: 'result', result: encodeSingle(outcome.payload) };
    case 'batch':
      return { kind: 'result', result: encodeBatch(outcome.payloads) };
    case 'question':
      return outcome;
  }
}
