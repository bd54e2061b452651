/** Fixtures whose whole point is what they answer, and when. */
import { setTimeout as sleep } from 'node:timers/promises';
import { said, type FixtureTool } from './fixture.js';
import { RED_PIXEL_PNG, SILENCE_WAV } from './media.js';

/** Between two notifications of one call, as the scenarios ask for. */
const PAUSE_MS = 50;

const PIXEL = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' } as const;

/** See the file's header. */
export const CONTENT_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_simple_text',
    description: 'Answers with a text.',
    run: () => said('This is a simple text response for testing.'),
  },
  { name: 'test_image_content', description: 'Answers with an image.', run: () => ({ content: [PIXEL] }) },
  {
    name: 'test_audio_content',
    description: 'Answers with a sound.',
    run: () => ({ content: [{ type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' }] }),
  },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    run: () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with a text, an image and a resource.',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        PIXEL,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  {
    name: 'test_error_handling',
    description: 'Always fails.',
    run: () => ({ ...said('This tool intentionally returns an error for testing'), isError: true }),
  },
  {
    name: 'test_tool_with_logging',
    description: 'Sends three log messages.',
    run: async ({ log }) => {
      await log('Tool execution started');
      await sleep(PAUSE_MS);
      await log('Tool processing data');
      await sleep(PAUSE_MS);
      await log('Tool execution completed');
      return said('Three messages were sent.');
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Sends a log message to whoever asked for messages.',
    run: async ({ log }) => {
      await log('Running');
      return said('Done.');
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Sends its progress three times.',
    run: async ({ progress }) => {
      for (const percent of [0, 50, 100]) {
        if (percent > 0) await sleep(PAUSE_MS);
        await progress(percent);
      }
      return said('All three steps are done.');
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has an input schema that uses much of JSON Schema 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: () => said('The schema is the point.'),
  },
];

function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text } };
}
