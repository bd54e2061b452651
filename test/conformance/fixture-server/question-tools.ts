/** Fixtures that ask the client something while the call waits: the way of the revisions with a handshake. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../src/common/json.js';
import { said, type FixtureTool } from './fixture.js';

/** See the file's header. */
export const QUESTION_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_sampling',
    description: 'Has the client ask its model.',
    inputSchema: required({ prompt: { type: 'string', description: 'What to ask the model.' } }),
    run: async ({ args, request }) => {
      const { content } = await request.send({
        method: 'sampling/createMessage',
        params: {
          messages: [{ role: 'user', content: { type: 'text', text: String(args['prompt']) } }],
          maxTokens: 100,
        },
      });
      return said(`LLM response: ${'text' in content ? content.text : JSON.stringify(content)}`);
    },
  },
  {
    name: 'test_elicitation',
    description: 'Has the client ask its person.',
    inputSchema: required({ message: { type: 'string', description: 'What to ask the person.' } }),
    run: async ({ args, request }) =>
      said(
        `User response: ${await elicited(request, String(args['message']), {
          ...required({
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          }),
        })}`,
      ),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default for each kind of field.',
    run: async ({ request }) =>
      said(
        `Elicitation completed: ${await elicited(request, 'Please check these values.', {
          type: 'object',
          properties: {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          },
          required: [],
        })}`,
      ),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with each form of a choice.',
    run: async ({ request }) =>
      said(
        `Elicitation completed: ${await elicited(request, 'Please choose.', {
          type: 'object',
          properties: {
            untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
            titledSingle: { type: 'string', oneOf: titled('value', ['First Option', 'Second Option', 'Third Option']) },
            legacyEnum: {
              type: 'string',
              enum: ['opt1', 'opt2', 'opt3'],
              enumNames: ['Option One', 'Option Two', 'Option Three'],
            },
            untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
            titledMulti: {
              type: 'array',
              items: { anyOf: titled('value', ['First Choice', 'Second Choice', 'Third Choice']) },
            },
          },
          required: [],
        })}`,
      ),
  },
];

function required(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function titled(stem: string, titles: readonly string[]): JsonObject[] {
  return titles.map((title, index) => ({ const: `${stem}${index + 1}`, title }));
}

async function elicited(
  request: ServerContext['mcpReq'],
  message: string,
  requestedSchema: JsonObject,
): Promise<string> {
  const params = { mode: 'form', message, requestedSchema };
  const { action, content = {} } = await request.send({ method: 'elicitation/create', params });
  return `action=${action}, content=${JSON.stringify(content)}`;
}
