/**
 * Fixtures that answer with what they need to know, so that the client calls again with it: the way of 2026-07-28. What a
 * tool remembers between the rounds travels through the client, signed.
 */
import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequiredResult,
  type InputRequest,
} from '@modelcontextprotocol/server';
import { said, type FixtureCall, type FixtureTool } from './fixture.js';

/** Replicas share the key: a second round may come to another one than the first. */
const key = Buffer.from(process.env['GOPHER_MCP_STATE_KEY'] ?? '', 'hex');
const states = createRequestStateCodec<string>({ key: key.length === 32 ? key : randomBytes(32) });

const ASK_NAME = asked('What is your name?', 'name');
const ASK_CAPITAL = sampled('What is the capital of France?', 100);
const ASK_GREETING = sampled('Generate a greeting', 50);
const CONFIRM = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});

/** See the file's header. */
export const ROUND_TRIP_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_input_required_result_elicitation',
    description: 'Asks the person for a name.',
    run: ({ request }) => {
      const name = acceptedContent(request.inputResponses, 'user_name')?.['name'];
      return typeof name === 'string'
        ? said(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: ASK_NAME } });
    },
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Asks the model of the client.',
    run: ({ request }) => {
      const answer = inputResponse(request.inputResponses, 'capital_question');
      if (answer.kind !== 'sampling') return inputRequired({ inputRequests: { capital_question: ASK_CAPITAL } });
      const { content } = answer.result;
      return said('text' in content ? content.text : JSON.stringify(content));
    },
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Asks the client for its roots.',
    run: ({ request }) => {
      const answer = inputResponse(request.inputResponses, 'client_roots');
      if (answer.kind !== 'roots') return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
      return said(`Roots: ${answer.roots.map(({ uri }) => uri).join(', ')}`);
    },
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Asks for a confirmation and remembers that it did.',
    run: (call) => confirmed(call),
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses what it did not say itself.',
    run: (call) => confirmed(call),
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the person, the model and the client at once.',
    run: async (call) => {
      const { inputResponses } = call.request;
      const name = acceptedContent(inputResponses, 'user_name')?.['name'];
      const greeting = inputResponse(inputResponses, 'greeting');
      const roots = inputResponse(inputResponses, 'client_roots');
      if (typeof name === 'string' && greeting.kind === 'sampling' && roots.kind === 'roots') {
        await remembered(call);
        return said(`A greeting for ${name}, who has ${roots.roots.length} roots.`);
      }
      return inputRequired({
        inputRequests: { user_name: ASK_NAME, greeting: ASK_GREETING, client_roots: inputRequired.listRoots() },
        requestState: await states.mint('all three'),
      });
    },
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, one after the other.',
    run: async (call) => {
      const { inputResponses } = call.request;
      const color = acceptedContent(inputResponses, 'step2')?.['color'];
      if (typeof color === 'string') return said(`${await remembered(call)} likes ${color}.`);
      const name = acceptedContent(inputResponses, 'step1')?.['name'];
      if (typeof name === 'string') {
        await remembered(call);
        return inputRequired({
          inputRequests: { step2: asked('Step 2: What is your favorite color?', 'color') },
          requestState: await states.mint(name),
        });
      }
      return inputRequired({
        inputRequests: { step1: asked('Step 1: What is your name?', 'name') },
        requestState: await states.mint('step 1'),
      });
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client says it can answer.',
    run: ({ declares }) => {
      const inputRequests: Record<string, InputRequest> = {};
      if (declares('elicitation')) inputRequests['user_name'] = ASK_NAME;
      if (declares('sampling')) inputRequests['greeting'] = ASK_GREETING;
      return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : said('There is nobody to ask.');
    },
  },
  {
    name: 'test_missing_capability',
    description: 'Needs a client that has a model.',
    run: ({ declares }) => {
      if (declares('sampling')) return said('The client has a model.');
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Tells its progress, then asks the person.',
    run: async ({ request, progress }) => {
      await progress(50);
      const name = acceptedContent(request.inputResponses, 'user_name')?.['name'];
      return typeof name === 'string'
        ? said(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: ASK_NAME } });
    },
  },
];

function asked(message: string, field: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
}

function sampled(text: string, maxTokens: number): InputRequest {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
}

async function confirmed(call: FixtureCall): Promise<ReturnType<typeof said> | InputRequiredResult> {
  if (acceptedContent(call.request.inputResponses, 'confirm') === undefined) {
    return inputRequired({ inputRequests: { confirm: CONFIRM }, requestState: await states.mint('asked') });
  }
  return said(`state-ok: ${await remembered(call)}`);
}

/** What the tool said to itself a round before. */
async function remembered({ request, context }: FixtureCall): Promise<string> {
  try {
    return await states.verify(request.requestState<string>() ?? '', context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state is not one that this server gave out.');
  }
}
