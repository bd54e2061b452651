import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JsonObject } from '../common/json.js';
import { encodeBatch, encodeRefusal, encodeSingle, type EncodedResult } from './tool-result.js';
import type { BoundTool, Services, Tool, ToolCall } from './tool.js';

/** Injection token of the tools that this process serves. */
export const ServedTools = Symbol('ServedTools');

/** What running a tool gives: a result, or a question for the person behind the client. */
export type ToolRun = { readonly kind: 'result'; readonly result: EncodedResult } | { readonly kind: 'question'; readonly message: string };

/** Maps tool calls onto the services behind them. */
@Injectable()
export class ToolRunner {
  readonly #tools: ReadonlyMap<string, { readonly tool: Tool; readonly run: BoundTool }>;

  constructor(@Inject(ModuleRef) moduleRef: ModuleRef, @Inject(ServedTools) tools: readonly Tool[]) {
    const services: Services = { get: (token) => moduleRef.get(token, { strict: false }) };
    this.#tools = new Map(tools.map((tool) => [tool.name, { tool, run: tool.bind(services) }]));
  }

  /** Runs a tool by name; undefined when there is none of that name. Never rejects for what a caller or a peer did. */
  async run(name: string, raw: JsonObject, call: ToolCall): Promise<ToolRun | undefined> {
    const found = this.#tools.get(name);
    if (!found) return undefined;
    const outcome = await found.run(raw, call);
    if ('code' in outcome) return { kind: 'result', result: encodeRefusal(outcome, found.tool.batch) };
    switch (outcome.kind) {
      case 'single':
        return { kind: 'result', result: encodeSingle(outcome.payload) };
      case 'batch':
        return { kind: 'result', result: encodeBatch(outcome.payloads) };
      case 'question':
        return outcome;
    }
  }
}
