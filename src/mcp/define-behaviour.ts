import { parseArguments } from './tool-arguments.js';
import type { ArgumentsClass, Services, ToolBehaviour, ToolHandler } from './tool.js';

/** What a tool does, with the class of its arguments. */
export interface BehaviourDefinition<A extends object> {
  readonly Args: ArgumentsClass<A>;
  readonly domain: new () => object;
  readonly bind: (services: Services) => ToolHandler<A>;
}

/** Closes a behaviour over its argument class, so that tools of different arguments fit one table. */
export function defineBehaviour<A extends object>({ Args, domain, bind }: BehaviourDefinition<A>): ToolBehaviour {
  return {
    domain,
    bind: (services) => {
      const handle = bind(services);
      return async (raw, call) => {
        const args = parseArguments(Args, raw);
        return args.ok ? handle(args.value, call) : args.error;
      };
    },
  };
}
