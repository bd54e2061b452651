import { parseArguments } from './tool-arguments.js';
import type { Tool, ToolDefinition } from './tool.js';

/** Closes a definition over its argument class, so that tools of different arguments fit one table. */
export function defineTool<A extends object>({ Args, bind, ...listed }: ToolDefinition<A>): Tool {
  return {
    ...listed,
    bind: (services) => {
      const handle = bind(services);
      return async (raw, call) => {
        const args = parseArguments(Args, raw);
        return args.ok ? handle(args.value, call) : args.error;
      };
    },
  };
}
