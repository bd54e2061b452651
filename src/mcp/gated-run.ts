/** Runs calls behind the gate, and says how a call that is not let in is answered. */
import { ProtocolError } from '@modelcontextprotocol/server';
import type { Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import type { CallGate, GatedCall } from './call-gate.port.js';
import type { Caller } from './caller.js';
import { MAX_BATCH_URLS } from './tools/fetch-fields.js';
import type { Tool } from './tool.js';

/**
 * JSON-RPC code of a call that was not let in; `data` has our code, the seconds after which it may come again, and what to do. Of the
 * range that JSON-RPC leaves to servers, outside of what MCP uses of it.
 */
export const NOT_LET_IN = -32010;

/** Runs `run` once the gate lets it in, and tells the gate when it has ended; gives what `refused` makes of it otherwise. */
export async function gatedRun<T>(
  gate: CallGate,
  call: GatedCall,
  run: () => Promise<T>,
  refused: (failure: Failure) => T,
): Promise<T> {
  const admission = await gate.admit(call);
  if (!admission.ok) return refused(admission.error);
  try {
    return await run();
  } finally {
    admission.value();
  }
}

/** The call of `caller`, as the gate sees it. @param units pages that it asks for */
export function gatedCall({ principal, address }: Caller, units: number, signal: AbortSignal): GatedCall {
  return { principal, address, units, signal };
}

/** Pages that a call of a tool asks for. A batch that is too long fetches none, and counts as one call that was made in vain. */
export function unitsOf({ batch }: Tool, { urls }: JsonObject): number {
  if (!batch || !Array.isArray(urls)) return 1;
  return urls.length > 0 && urls.length <= MAX_BATCH_URLS ? urls.length : 1;
}

/** A refusal as a JSON-RPC error. */
export function notLetIn({ code, message, facts }: Failure): ProtocolError {
  return new ProtocolError(NOT_LET_IN, message, { code, message, ...facts });
}
