import type { ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonValue } from '../common/json.js';

/** A member of what a stateless request declares about its client (`_meta`); undefined when it declares none. */
export function declared({ envelope }: ServerContext['mcpReq'], key: string): JsonValue | undefined {
  return isJsonObject(envelope) ? envelope[key] : undefined;
}
