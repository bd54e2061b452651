/** The prompts of the suite. */
import {
  acceptedContent,
  inputRequired,
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type PromptMessage,
} from '@modelcontextprotocol/server';
import { RED_PIXEL_PNG } from './media.js';

const WITH_ARGUMENTS = 'test_prompt_with_arguments';

/** Listed beside those of the product. */
export const FIXTURE_PROMPTS: Prompt[] = [
  { name: 'test_simple_prompt', description: 'One message.' },
  {
    name: WITH_ARGUMENTS,
    description: 'A message with two arguments in it.',
    arguments: [
      { name: 'arg1', description: 'The first argument.', required: true },
      { name: 'arg2', description: 'The second argument.', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource, and what to do with it.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource.', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'An image, and what to do with it.' },
  { name: 'test_input_required_result_prompt', description: 'Asks the person first (2026-07-28).' },
];

/** A prompt of the suite with its arguments filled in; undefined when there is none of this name. */
export function renderFixture(
  name: string,
  args: Readonly<Record<string, string>>,
  inputResponses: Record<string, unknown> | undefined,
): GetPromptResult | InputRequiredResult | undefined {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [text('This is a simple prompt for testing.')] };
    case WITH_ARGUMENTS:
      return { messages: [text(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`)] };
    case 'test_prompt_with_embedded_resource': {
      const resource = {
        uri: args['resourceUri'] ?? '',
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      };
      const messages = [message({ type: 'resource', resource }), text('Please process the embedded resource above.')];
      return { messages };
    }
    case 'test_prompt_with_image':
      return {
        messages: [
          message({ type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' }),
          text('Please analyze the image above.'),
        ],
      };
    case 'test_input_required_result_prompt': {
      const context = acceptedContent(inputResponses, 'user_context')?.['context'];
      if (typeof context === 'string') return { messages: [text(`The context is ${context}.`)] };
      const question = inputRequired.elicit({
        message: 'What context should the prompt use?',
        requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
      });
      return inputRequired({ inputRequests: { user_context: question } });
    }
    default:
      return undefined;
  }
}

/** Values for an argument of a prompt of the suite; undefined when there is none of this name. */
export function completeFixture(prompt: string, typed: string): CompleteResult | undefined {
  if (prompt !== WITH_ARGUMENTS) return undefined;
  const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(typed));
  return { completion: { values, total: values.length, hasMore: false } };
}

function message(content: PromptMessage['content']): PromptMessage {
  return { role: 'user', content };
}

function text(words: string): PromptMessage {
  return message({ type: 'text', text: words });
}
