/**
 * Asking the person behind a client before a change. With a handshake the question goes out while the call waits; in the
 * stateless revision it is the answer to the call, and the client calls again with what the person said.
 *
 * Only a clear yes is consent. A refusal, a question that was closed, an answer that makes no sense, a client that fails and a
 * person who does not answer in time all mean no.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../common/json.js';
import { declared } from './envelope.js';
import type { ToolCall } from './tool.js';

type McpRequest = ServerContext['mcpReq'];

/** How long a person has for the answer to a question that a call waits for. */
export const ANSWER_WITHIN_MS = 600_000;

const CONFIRM_FORM = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Confirm', description: 'Go ahead with this change.' } },
  required: ['confirm'],
};

/** Name of the question in the stateless revision. */
const CONFIRM_KEY = 'confirm';

/**
 * Whether a client with these capabilities can show a form. One that declares elicitation without saying of which kind means
 * forms, as before there were other kinds.
 */
export function canShowForms(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isJsonObject(elicitation)) return false;
  return elicitation['form'] !== undefined || elicitation['url'] === undefined;
}

/** What a stateless request says of its person's consent, or whether its client can be asked. */
export function declaredConsent(request: McpRequest): ToolCall['consent'] {
  const { inputResponses, droppedInputResponseKeys } = request;
  if (inputResponses !== undefined && CONFIRM_KEY in inputResponses) {
    const answer = inputResponse(inputResponses, CONFIRM_KEY);
    return answer.kind === 'elicit' && isYes(answer) ? 'given' : 'refused';
  }
  if (droppedInputResponseKeys?.includes(CONFIRM_KEY)) return 'refused';
  return canShowForms(declared(request, CLIENT_CAPABILITIES_META_KEY)) ? 'unasked' : 'unable';
}

/** The question as the answer to a stateless call. */
export function asInputRequired(message: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [CONFIRM_KEY]: inputRequired.elicit({ message, requestedSchema: CONFIRM_FORM }) },
  });
}

/** Asks while the call waits. Never rejects. */
export async function ask(
  { send, signal }: McpRequest,
  message: string,
  withinMs: number,
): Promise<'given' | 'refused'> {
  try {
    const params = { message, requestedSchema: CONFIRM_FORM };
    const answer = await send({ method: 'elicitation/create', params }, { timeout: withinMs, signal });
    return isYes(answer) ? 'given' : 'refused';
  } catch {
    return 'refused';
  }
}

function isYes({ action, content }: { readonly action: string; readonly content?: unknown }): boolean {
  return action === 'accept' && isJsonObject(content) && content['confirm'] === true;
}
