import type { JsonObject } from '../common/json.js';
import type { CommandServices } from './command-context.js';

/** The payload of a tool that changes nothing, and therefore asks nothing. */
export async function payloadOf(services: CommandServices, tool: string, args: JsonObject): Promise<JsonObject> {
  const answer = await services.callTool(tool, args, 'unasked');
  if (answer.kind === 'question') throw new TypeError(`${tool} changes nothing and asks`);
  return answer.payload;
}
